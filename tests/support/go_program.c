#include "go_program.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "decode/varint.h"

#define PART_MAX_BYTES 4096
#define FIELDS 9             // 4-byte fields after the PC of a function
#define NO_FILE UINT32_MAX

enum { FIELD_NAME = 0, FIELD_FILES = 4, FIELD_LINES = 5, FIELD_UNIT = 7 };

// PARTS

struct part {
    unsigned char bytes[PART_MAX_BYTES];
    size_t len_bytes;
};

static void put(struct part *part, const void *bytes, size_t len_bytes)
{
    if (len_bytes > PART_MAX_BYTES - part->len_bytes)
        abort();
    memcpy(part->bytes + part->len_bytes, bytes, len_bytes);
    part->len_bytes += len_bytes;
}

static void put_number(struct part *part, const struct go_program *p, uint64_t value,
                       unsigned len_bytes)
{
    for (unsigned i = 0; i < len_bytes; i++) {
        unsigned char byte = (unsigned char)(value >>
                                             8 * (p->is_big_endian ? len_bytes - 1 - i : i));
        put(part, &byte, 1);
    }
}

static uint32_t put_text(struct part *part, const char *text)
{
    uint32_t at = (uint32_t)part->len_bytes;
    put(part, text, strlen(text) + 1);
    return at;
}

static void put_varint(struct part *part, uint64_t value)
{
    unsigned char bytes[TP_VARINT_MAX_BYTES];
    put(part, bytes, (size_t)(tp_varint_put(bytes, value) - bytes));
}

// THE TABLE

struct table {
    const struct go_program *p;
    struct part names, files, units, values, functions, entries;
    const char *known_files[16];
    uint32_t file_count;
};

// Returns the number of the file, adding the file if it is new. Up to Go 1.15 files count from
// 1.
static int32_t file_number(struct table *t, const char *file)
{
    bool has_units = t->p->form > GO_TABLE_2;
    if (file == NULL)
        return has_units ? 0 : -1;
    uint32_t i = 0;
    while (i < t->file_count && strcmp(t->known_files[i], file) != 0)
        i++;
    if (i == t->file_count)
        t->known_files[t->file_count++] = file;
    return (int32_t)i + 1;
}

// Writes the table from PCs of a function to its lines or, if not `are_lines`, to its files. An
// entry is the change of the value and the number of PCs with the new value; stretches with equal
// values share an entry. Returns the offset of the table in `values`.
static uint32_t put_values(struct table *t, const struct go_function *f, bool are_lines)
{
    uint32_t at = (uint32_t)t->values.len_bytes;
    int32_t value = -1;
    uint64_t pc = f->begin;
    for (size_t i = 0; i < GO_STRETCHES_MAX && f->stretches[i].end != 0;) {
        const struct go_stretch *s = &f->stretches[i];
        int32_t next = are_lines ? s->line : file_number(t, s->file);
        uint64_t end = s->end;
        for (i++; i < GO_STRETCHES_MAX && f->stretches[i].end != 0; i++) {
            const struct go_stretch *more = &f->stretches[i];
            if ((are_lines ? more->line : file_number(t, more->file)) != next)
                break;
            end = more->end;
        }
        int64_t step = (int64_t)next - value;
        put_varint(&t->values, (uint32_t)(step < 0 ? ~(2 * step) : 2 * step));
        put_varint(&t->values, (end - pc) / t->p->quantum);
        value = next;
        pc = end;
    }
    put_varint(&t->values, 0);
    return at;
}

// Where the parts begin: offsets in entries and functions count from there.
struct bases {
    size_t names, values, functions;
};

static void put_functions(struct table *t, const struct bases *bases)
{
    const struct go_program *p = t->p;
    bool has_offsets = p->form >= GO_TABLE_18;
    unsigned pc_bytes = has_offsets ? 4 : p->word_bytes;
    uint64_t base_pc = has_offsets ? p->text_begin : 0;
    t->names.len_bytes = t->values.len_bytes = 0;
    t->functions.len_bytes = t->entries.len_bytes = 0;
    put_text(&t->names, "");
    put_varint(&t->values, 0);
    for (size_t i = 0; i < p->function_count; i++) {
        const struct go_function *f = &p->functions[i];
        uint32_t fields[FIELDS] = {0};
        fields[FIELD_NAME] = (uint32_t)(bases->names + put_text(&t->names, f->name));
        fields[FIELD_FILES] = (uint32_t)bases->values + put_values(t, f, false);
        fields[FIELD_LINES] = (uint32_t)bases->values + put_values(t, f, true);
        fields[FIELD_UNIT] = 0;
        put_number(&t->entries, p, f->begin - base_pc, pc_bytes);
        put_number(&t->entries, p, bases->functions + t->functions.len_bytes, pc_bytes);
        put_number(&t->functions, p, f->begin - base_pc, pc_bytes);
        for (unsigned k = 0; k < FIELDS; k++)
            put_number(&t->functions, p, fields[k], 4);
    }
    put_number(&t->entries, p, p->text_end - base_pc, pc_bytes);
}

// Writes the offsets of the file names; file 0 means no file.
static void put_units(struct table *t, size_t files_base)
{
    bool has_units = t->p->form > GO_TABLE_2;
    t->units.len_bytes = t->files.len_bytes = 0;
    put_number(&t->units, t->p, has_units ? NO_FILE : t->file_count + 1, 4);
    for (uint32_t i = 0; i < t->file_count; i++)
        put_number(&t->units, t->p, files_base + put_text(&t->files, t->known_files[i]), 4);
}

static void append(struct tp_buf *b, const void *bytes, size_t len_bytes)
{
    if (!tp_buf_put(b, bytes, len_bytes))
        abort();
}

static void join(struct tp_buf *b, const struct part *part)
{
    append(b, part->bytes, part->len_bytes);
}

// Writes the table of up to Go 1.15, in which all offsets count from the beginning of the
// table.
static void put_whole(struct tp_buf *b, struct table *t, struct part *head)
{
    struct bases bases = {0};
    size_t files_base = 0, units_base = 0;
    // Two passes: the lengths of all parts are known only after the first one.
    for (int pass = 0; pass < 2; pass++) {
        put_functions(t, &bases);
        put_units(t, files_base);
        units_base = head->len_bytes + t->entries.len_bytes + 4;
        bases.functions = units_base + t->units.len_bytes;
        bases.names = bases.functions + t->functions.len_bytes;
        bases.values = bases.names + t->names.len_bytes;
        files_base = bases.values + t->values.len_bytes;
    }
    put_functions(t, &bases);
    put_units(t, files_base);
    put_number(&t->entries, t->p, units_base, 4);
    join(b, head);
    join(b, &t->entries);
    join(b, &t->units);
    join(b, &t->functions);
    join(b, &t->names);
    join(b, &t->values);
    join(b, &t->files);
}

// Writes the table of Go 1.16 and later, whose header has the offset of each part.
static void put_parts(struct tp_buf *b, struct table *t, struct part *head)
{
    const struct go_program *p = t->p;
    bool has_offsets = p->form >= GO_TABLE_18;
    struct bases bases = {0};
    put_functions(t, &bases);
    bases.functions = t->entries.len_bytes;
    put_functions(t, &bases);
    put_units(t, 0);
    const struct part *parts[] = {&t->names, &t->units, &t->files, &t->values, &t->entries};
    put_number(head, p, t->file_count, p->word_bytes);
    if (has_offsets)
        put_number(head, p, 0, p->word_bytes); // address of the text, which the linker would set
    size_t at = head->len_bytes + TP_ARRAY_LEN(parts) * p->word_bytes;
    for (size_t i = 0; i < TP_ARRAY_LEN(parts); i++) {
        put_number(head, p, at, p->word_bytes);
        at += parts[i]->len_bytes;
    }
    join(b, head);
    for (size_t i = 0; i < TP_ARRAY_LEN(parts); i++)
        join(b, parts[i]);
    join(b, &t->functions);
}

void go_program_put_table(struct tp_buf *b, const struct go_program *p)
{
    static const uint32_t magic[] = {0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1};
    static struct table t;
    static struct part head;
    t = (struct table){.p = p};
    head.len_bytes = 0;
    put_number(&head, p, magic[p->form], 4);
    put_number(&head, p, 0, 2);
    put_number(&head, p, p->quantum, 1);
    put_number(&head, p, p->word_bytes, 1);
    put_number(&head, p, p->function_count, p->word_bytes);
    if (p->form == GO_TABLE_2)
        put_whole(b, &t, &head);
    else
        put_parts(b, &t, &head);
}

static const struct go_function small_functions[] = {
    {"main.main", 0x401000, {{0x401010, "/src/app/main.go", 5},
                             {0x401018, "/src/app/util.go", 30},
                             {0x401030, "/src/app/main.go", 6}}},
    {"main.worker", 0x401040, {{0x401060, "/src/app/work.go", 12}}},
};

const struct go_program go_program_small = {
    .form = GO_TABLE_2, .word_bytes = 8, .quantum = 1, .text_begin = 0x401000,
    .text_end = 0x401080, .functions = small_functions,
    .function_count = TP_ARRAY_LEN(small_functions),
};

// ELF

// Layout: header, segment, text (all zeros), table, section names, symbol names, symbols,
// sections.
void go_program_put_elf(struct tp_buf *b, const struct go_program *p, const struct go_elf *elf)
{
    static const char symbol_names[] = "\0runtime.text";
    enum { NONE, TEXT, TABLE, NAMES, SYMBOL_NAMES, SYMBOLS, SECTIONS };
    static struct part names;
    names.len_bytes = 0;
    size_t begin = b->len_bytes;
    uint64_t text = elf->text_section != 0 ? elf->text_section : p->text_begin;
    Elf64_Shdr sections[SECTIONS] = {{0}};
    Elf64_Phdr segment = {.p_type = PT_LOAD,
                          .p_flags = elf->has_no_code ? PF_R : PF_R | PF_X,
                          .p_vaddr = text,
                          .p_offset = sizeof(Elf64_Ehdr) + sizeof segment,
                          .p_filesz = p->text_end - text,
                          .p_memsz = p->text_end - text,
                          .p_align = 1};
    // The structs are written as they lie in memory.
    const unsigned char order = BYTE_ORDER == LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
    Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, order, EV_CURRENT},
                       .e_type = elf->type != 0 ? elf->type : ET_EXEC,
                       .e_machine = EM_X86_64, .e_version = EV_CURRENT,
                       .e_phoff = sizeof head, .e_ehsize = sizeof head,
                       .e_phentsize = sizeof segment, .e_phnum = 1,
                       .e_shentsize = sizeof sections[0], .e_shnum = SECTIONS,
                       .e_shstrndx = NAMES};
    put_text(&names, "");
    sections[TEXT] = (Elf64_Shdr){.sh_name = put_text(&names, ".text"), .sh_type = SHT_PROGBITS,
                                  .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = text,
                                  .sh_offset = segment.p_offset, .sh_size = segment.p_filesz};
    sections[TABLE] = (Elf64_Shdr){
        .sh_name = put_text(&names, elf->table_name != NULL ? elf->table_name : ".rodata"),
        .sh_type = SHT_PROGBITS};
    sections[NAMES] = (Elf64_Shdr){.sh_name = put_text(&names, ".shstrtab"),
                                   .sh_type = SHT_STRTAB};
    sections[SYMBOL_NAMES] = (Elf64_Shdr){.sh_name = put_text(&names, ".strtab"),
                                          .sh_type = SHT_STRTAB, .sh_size = sizeof symbol_names};
    sections[SYMBOLS] = (Elf64_Shdr){.sh_name = put_text(&names, ".symtab"),
                                     .sh_type = SHT_SYMTAB, .sh_link = SYMBOL_NAMES,
                                     .sh_entsize = sizeof(Elf64_Sym), .sh_info = 1,
                                     .sh_size = 2 * sizeof(Elf64_Sym)};
    Elf64_Sym symbols[2] = {{0}, {.st_name = 1, .st_value = elf->runtime_text,
                                  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE),
                                  .st_shndx = TEXT}};
    if (elf->runtime_text == 0)
        sections[SYMBOLS].sh_type = SHT_NULL;
    append(b, &head, sizeof head);
    append(b, &segment, sizeof segment);
    for (uint64_t at = text; at < p->text_end; at++)
        append(b, "", 1);
    sections[TABLE].sh_offset = b->len_bytes - begin;
    go_program_put_table(b, p);
    sections[TABLE].sh_size = b->len_bytes - begin - sections[TABLE].sh_offset;
    sections[NAMES].sh_offset = b->len_bytes - begin;
    sections[NAMES].sh_size = names.len_bytes;
    join(b, &names);
    sections[SYMBOL_NAMES].sh_offset = b->len_bytes - begin;
    append(b, symbol_names, sizeof symbol_names);
    sections[SYMBOLS].sh_offset = b->len_bytes - begin;
    append(b, symbols, sizeof symbols);
    head.e_shoff = b->len_bytes - begin;
    append(b, sections, sizeof sections);
    memcpy(b->ptr + begin, &head, sizeof head);
}
