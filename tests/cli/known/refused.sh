# What is no file of --known, or is damaged, is an error before anything is read, and stays as it is.
cp "$DATA/../planted/shop.trace.zst" shop.trace.zst
trace=shop.trace.zst
refused() { # WORD...: with FILE as the last word
    before=$(cksum "${@: -1}" 2>/dev/null) || :
    tracepipe --manifest manifest "${@:1:$#-1}" --known "${@: -1}" missing.trace || echo "status $?"
    [ "$before" = "$(cksum "${@: -1}" 2>/dev/null)" ] || echo 'FILE has changed'
}
echo '{"a":1}' >foreign
refused foreign
: >empty
refused empty
refused "$trace"
tracepipe -q --known known "$trace" >/dev/null
wc -l <known
head -c -1 known >cut
refused cut
sed '$d' known >shorter
refused shorter
sed 's/"measure":"[a-z_]*"/"measure":"lok"/' known >measure
refused measure
sed '2s/"value":/"values":/' known >field
refused field
sed '2s/"name":"/&\\u0000/' known >nul
refused nul
sed 's/known.1"/known\/2"/' known >version
refused version
{ sed 's/_count":1/_count":2/' known && sed 1d known; } >twice
refused twice
{ sed 's/"group":""/"group":"host-[0-9]+"/' known; } >grouped
refused grouped
refused --group 'host-([0-9]+)' grouped
refused --group 'host-([0-9]+)' known
echo 'not for a file'
ln -s known link
refused link
mkfifo pipe
tracepipe --known pipe missing.trace || echo "status $?"
refused .
refused -
refused ''
refused /dev/null
refused nowhere/known
echo 'other options'
tracepipe --known known --sink stats "$trace" || echo "status $?"
tracepipe --known known --json "$trace" || echo "status $?"
tracepipe --known known -o known "$trace" || echo "status $?"
tracepipe --known known --sink raw -o known "$trace" || echo "status $?"
tracepipe --known "$trace" "$trace" || echo "status $?"
ls
