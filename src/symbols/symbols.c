#include "symbols/symbols.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

struct tp_symbols {
    int fd;
    Elf *elf;
    bool has_pclntab;
    struct tp_pclntab pclntab;
    // For programs without a pclntab. libdw changes its state during look-ups, so `mu` guards it.
    pthread_mutex_t mu;
    Dwfl *dwfl;
    Dwfl_Module *module;
};

static int refuse(struct tp_error *err, const char *why)
{
    return tp_fail(err, TP_E_USAGE, "cannot read its symbols: %s", why);
}

// THE FILE

static int open_file(struct tp_symbols *s, const char *path, struct tp_error *err)
{
    struct stat st;
    // O_NONBLOCK, so that the open of a FIFO does not wait for a writer.
    s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (s->fd < 0 || fstat(s->fd, &st) != 0)
        return tp_fail_errno(err, TP_E_USAGE, errno, "cannot read its symbols");
    if (S_ISDIR(st.st_mode))
        return refuse(err, "it is a folder");
    return S_ISREG(st.st_mode) ? 0 : refuse(err, "it is not a regular file");
}

// Returns whether the file has code at *pc; if `pc` is NULL, whether it has code at all.
static bool is_in_code(Elf *elf, const uint64_t *pc)
{
    size_t count = 0;
    GElf_Phdr segment;
    if (elf_getphdrnum(elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (gelf_getphdr(elf, (int)i, &segment) != NULL && segment.p_type == PT_LOAD &&
            (segment.p_flags & PF_X) != 0 &&
            (pc == NULL || *pc - segment.p_vaddr < segment.p_memsz))
            return true;
    }
    return false;
}

static int open_elf(struct tp_symbols *s, struct tp_error *err)
{
    GElf_Ehdr head;
    elf_version(EV_CURRENT);
    s->elf = elf_begin(s->fd, ELF_C_READ_MMAP, NULL);
    if (s->elf == NULL || elf_kind(s->elf) != ELF_K_ELF || gelf_getehdr(s->elf, &head) == NULL)
        return refuse(err, "it is not an ELF file");
    if (head.e_type != ET_EXEC && head.e_type != ET_DYN)
        return refuse(err, head.e_type == ET_CORE ? "it is a core dump, not the program"
                                                  : "it is not linked");
    return is_in_code(s->elf, NULL) ? 0 : refuse(err, "it has no executable segments");
}

// THE TABLE OF THE GO RUNTIME

// Returns the section with this name, and its header in *ret_head; NULL: there is none.
static Elf_Scn *section_of(Elf *elf, const char *wanted, GElf_Shdr *ret_head)
{
    size_t names = 0;
    Elf_Scn *section = NULL;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        const char *name = gelf_getshdr(section, ret_head) != NULL
                               ? elf_strptr(elf, names, ret_head->sh_name)
                               : NULL;
        if (name != NULL && strcmp(name, wanted) == 0)
            return section;
    }
    return NULL;
}

// Finds the value of the symbol runtime.text. If an external linker has put other code before
// Go's, Go's text begins at this symbol and not at the beginning of the section. False: there is no
// such symbol.
static bool find_runtime_text(Elf *elf, uint64_t *ret_value)
{
    GElf_Shdr head;
    Elf_Scn *section = section_of(elf, ".symtab", &head);
    Elf_Data *data = section != NULL ? elf_getdata(section, NULL) : NULL;
    size_t count = data != NULL && head.sh_entsize > 0 ? data->d_size / head.sh_entsize : 0;
    GElf_Sym symbol;
    for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &symbol) != NULL; i++) {
        const char *name = elf_strptr(elf, head.sh_link, symbol.st_name);
        if (name == NULL || strcmp(name, "runtime.text") != 0)
            continue;
        *ret_value = symbol.st_value;
        return true;
    }
    return false;
}

static bool open_pclntab(struct tp_symbols *s)
{
    GElf_Shdr head;
    Elf_Scn *section = section_of(s->elf, ".gopclntab", &head);
    if (section == NULL) // the name in position-independent programs
        section = section_of(s->elf, ".data.rel.ro.gopclntab", &head);
    Elf_Data *data = section != NULL ? elf_rawdata(section, NULL) : NULL;
    if (data == NULL || data->d_buf == NULL)
        return false;
    uint64_t text_start = section_of(s->elf, ".text", &head) != NULL ? head.sh_addr : 0;
    (void)find_runtime_text(s->elf, &text_start);
    return tp_pclntab_init(&s->pclntab, tp_span_of(data->d_buf, data->d_size), text_start);
}

// SYMBOLS AND DWARF

// Keeps libdw from searching for separate debug files: the result would depend on the machine.
static int find_no_debug_file(Dwfl_Module *module, void **user, const char *name,
                              Dwarf_Addr base, const char *file_name, const char *link,
                              GElf_Word link_crc, char **ret_name)
{
    (void)module, (void)user, (void)name, (void)base;
    (void)file_name, (void)link, (void)link_crc, (void)ret_name;
    return -1;
}

static bool has_functions(Dwfl_Module *module)
{
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Word section = 0;
        if (dwfl_module_getsym(module, i, &symbol, &section) != NULL &&
            GELF_ST_TYPE(symbol.st_info) == STT_FUNC && section != SHN_UNDEF)
            return true;
    }
    return false;
}

static int open_dwfl(struct tp_symbols *s, const char *path, struct tp_error *err)
{
    static const Dwfl_Callbacks callbacks = {
        .find_debuginfo = find_no_debug_file,
        .section_address = dwfl_offline_section_address,
    };
    s->dwfl = dwfl_begin(&callbacks);
    // If dwfl_report_elf succeeds, libdwfl owns the descriptor and closes it.
    int fd = s->dwfl != NULL ? fcntl(s->fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (fd < 0)
        return tp_fail(err, TP_E_MEMORY, "out of memory for symbols");
    // Base 0 leaves addresses as they are in the file.
    s->module = dwfl_report_elf(s->dwfl, path, path, fd, 0, true);
    if (s->module == NULL) {
        close(fd);
        return refuse(err, dwfl_errmsg(-1));
    }
    (void)dwfl_report_end(s->dwfl, NULL, NULL);
    Dwarf_Addr bias;
    if (!has_functions(s->module) && dwfl_module_getdwarf(s->module, &bias) == NULL)
        return refuse(err, "it has neither .gopclntab nor a symbol table nor DWARF");
    return 0;
}

int tp_symbols_open(const char *path, struct tp_symbols **ret_symbols, struct tp_error *err)
{
    struct tp_symbols *s = tp_alloc_zero(sizeof *s);
    if (s == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for symbols");
    s->fd = -1;
    pthread_mutex_init(&s->mu, NULL);
    int rc = open_file(s, path, err);
    if (rc == 0)
        rc = open_elf(s, err);
    if (rc == 0) {
        s->has_pclntab = open_pclntab(s);
        rc = s->has_pclntab ? 0 : open_dwfl(s, path, err);
    }
    if (rc != 0) {
        if (rc == TP_E_USAGE && err != NULL)
            err->path = path;
        tp_symbols_close(s);
        return rc;
    }
    *ret_symbols = s;
    return 0;
}

void tp_symbols_close(struct tp_symbols *s)
{
    if (s == NULL)
        return;
    dwfl_end(s->dwfl);
    elf_end(s->elf);
    if (s->fd >= 0)
        close(s->fd);
    pthread_mutex_destroy(&s->mu);
    tp_free(s);
}

// LOOKING UP

static struct tp_span span_of_text(const char *text)
{
    return text != NULL ? tp_span_of_text(text) : tp_span_of("", 0);
}

// Returns the name of the function at the PC; NULL: not known. A symbol without a size, such as
// one of assembler code, extends to the next symbol.
static const char *function_at(Dwfl_Module *module, uint64_t pc)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(module, pc, &offset, &symbol, NULL, NULL, NULL);
    return name != NULL && (symbol.st_size == 0 || offset < symbol.st_size) ? name : NULL;
}

// Finds the compilation unit of a PC; NULL: there is none. clang writes no table of the units'
// addresses; without it, all units are searched.
static Dwarf_Die *unit_at(Dwfl_Module *module, uint64_t pc, Dwarf_Addr *ret_bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, pc, ret_bias);
    if (unit != NULL)
        return unit;
    while ((unit = dwfl_module_nextcu(module, unit, ret_bias)) != NULL) {
        if (dwarf_haspc(unit, pc - *ret_bias) == 1)
            return unit;
    }
    return NULL;
}

static bool find_by_dwfl(struct tp_symbols *s, uint64_t pc, struct tp_symbol *ret_symbol)
{
    if (!is_in_code(s->elf, &pc))
        return false;
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = unit_at(s->module, pc, &bias);
    Dwarf_Line *at = unit != NULL ? dwarf_getsrc_die(unit, pc - bias) : NULL;
    const char *file = at != NULL ? dwarf_linesrc(at, NULL, NULL) : NULL;
    int line = 0;
    if (file != NULL)
        (void)dwarf_lineno(at, &line);
    const char *function = function_at(s->module, pc);
    if (file == NULL && function == NULL)
        return false;
    *ret_symbol = (struct tp_symbol){.function = span_of_text(function),
                                     .file = span_of_text(file),
                                     .line = line > 0 ? (uint64_t)line : 0};
    return true;
}

bool tp_symbols_find(struct tp_symbols *s, uint64_t pc, struct tp_symbol *ret_symbol)
{
    if (s->has_pclntab)
        return tp_pclntab_find(&s->pclntab, pc, ret_symbol);
    pthread_mutex_lock(&s->mu);
    bool is_known = find_by_dwfl(s, pc, ret_symbol);
    pthread_mutex_unlock(&s->mu);
    return is_known;
}
