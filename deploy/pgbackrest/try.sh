#!/bin/bash
# Tries what docs/operations.md says about pgBackRest, on a cluster, a program and folders of its own, which it removes:
# stanza, full and incremental backup, files and secrets beside them, restore to a moment, the program on what came out.
# Needs root, Node, Debian's postgresql-15 and pgbackrest: apt-get install postgresql-15 pgbackrest
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=/usr/lib/postgresql/15/bin
for each in "$bin/initdb" /usr/bin/pgbackrest; do
  [ -x "$each" ] || { echo "$each is missing: apt-get install postgresql-15 pgbackrest" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo 'please run this as root: it runs the database as the user postgres' >&2; exit 2; }

work=$(mktemp -d /tmp/pgbackrest-try.XXXXXX)
chmod 755 "$work"
port=$(node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')
program=
as() { runuser -u postgres -- "$@"; }
say() { printf '\n== %s\n' "$*"; }
stop_program() {
  [ -n "$program" ] || return 0
  kill -TERM "$program" 2>/dev/null || true
  wait "$program" 2>/dev/null || true
  program=
}
finish() {
  stop_program
  for cluster in "$work/pg" "$work/restored"; do
    [ -s "$cluster/postmaster.pid" ] && as "$bin/pg_ctl" -D "$cluster" -m fast stop >/dev/null 2>&1 || true
  done
  rm -rf "$work"
}
trap finish EXIT
install -d -o postgres -g postgres -m 0700 "$work/pg" "$work/repo" "$work/log" "$work/lock" "$work/spool"
install -d -o postgres -g postgres -m 0755 "$work/run"

# the file beside this script, with paths of this trial
sed -e "s#^repo1-path=.*#repo1-path=$work/repo#" \
  -e "s#^repo1-cipher-pass=.*#repo1-cipher-pass=$(head -c 24 /dev/urandom | base64 | tr -d '+/=')#" \
  -e "s#^pg1-path=.*#pg1-path=$work/pg\npg1-port=$port\npg1-socket-path=$work/run#" \
  -e "s#^\[global\]#[global]\nlog-path=$work/log\nlock-path=$work/lock\nspool-path=$work/spool#" \
  "$root/deploy/pgbackrest/pgbackrest.conf" >"$work/pgbackrest.conf"
chown root:postgres "$work/pgbackrest.conf"
chmod 0640 "$work/pgbackrest.conf"
rest() { as pgbackrest --config="$work/pgbackrest.conf" --stanza=dekt "$@"; }
query() { as psql -h "$work/run" -p "$port" -U postgres -d "${db:-dekt}" -AtX -v ON_ERROR_STOP=1 -c "$1"; }

say 'a cluster that archives its WAL'
as "$bin/initdb" -D "$work/pg" -A trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
cat >>"$work/pg/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$work/run'
archive_mode = on
archive_command = 'pgbackrest --config=$work/pgbackrest.conf --stanza=dekt archive-push %p'
archive_timeout = 180
CONF
as "$bin/pg_ctl" -D "$work/pg" -l "$work/log/postgres.log" -w start >/dev/null
db=postgres query 'create role dekt_owner login' >/dev/null
db=postgres query 'create role dekt login' >/dev/null
db=postgres query "create database dekt owner dekt_owner encoding 'UTF8' template template0" >/dev/null

say 'the stanza, and a check that a segment arrives'
rest stanza-create
rest check

# on an address of the database and a data folder
start_program() {
  local folder=$1
  env -i PATH="$PATH" HOME="$HOME" NODE_ENV=production HOST=127.0.0.1 PORT=0 DATA_DIR="$folder" LOG_FILE="$folder/service.log" \
    DATABASE_URL="postgres://dekt@127.0.0.1:$port/dekt" MIGRATION_DATABASE_URL="postgres://dekt_owner@127.0.0.1:$port/dekt" \
    SCHOOL_ID=s1 SCHOOL_NAME=试验学校 ADMIN_PASSWORD=Start-Test-92 \
    node "$root/scripts/run.mjs" "$root/server/main.ts" >"$work/program.txt" 2>&1 &
  program=$!
  for _ in $(seq 300); do
    grep -q '已启动：' "$work/program.txt" && return 0
    kill -0 "$program" 2>/dev/null || break
    sleep 0.5
  done
  cat "$work/program.txt" >&2
  return 1
}
say 'the program on that database'
mkdir -p "$work/data"
start_program "$work/data"
write() { query "insert into \"auditLog\" (\"schoolId\", \"logId\", \"actorName\", action, \"bizId\", \"requestId\", ip, agent)
  values ('s1', gen_random_uuid(), '', '写入', '$1', '', '', '')" >/dev/null; }

say 'a full backup, an incremental one, and the files and secrets beside them'
rest --type=full backup
write 'before the incremental'
rest --type=incr backup
# contents of files never change under their name, so what is there need not be compared
install -d -m 0700 "$work/files-backup"
copy_files() (
  cd "$work/data" && for each in files archive secrets.json; do [ ! -e $each ] || cp -au $each "$work/files-backup/"; done
)
copy_files
write 'before the moment'
sleep 1.2
moment=$(query "select to_char(now(), 'YYYY-MM-DD HH24:MI:SSOF')")
sleep 1.2
write 'after the moment'
query 'select pg_switch_wal()' >/dev/null
copy_files
for _ in $(seq 100); do
  [ "$(query "select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 16777217) from pg_stat_archiver")" = t ] && break
  sleep 0.2
done
rest info

say "the disk is lost; back to $moment"
stop_program
as "$bin/pg_ctl" -D "$work/pg" -m immediate stop >/dev/null
rm -rf "$work/pg" "$work/data"
install -d -o postgres -g postgres -m 0700 "$work/restored"
rest --pg1-path="$work/restored" --type=time --target="$moment" --target-action=promote restore
as "$bin/pg_ctl" -D "$work/restored" -l "$work/log/restored.log" -w -t 120 start >/dev/null
for _ in $(seq 100); do
  [ "$(query 'select pg_is_in_recovery()')" = f ] && break
  sleep 0.2
done
mkdir -p "$work/data"
cp -a "$work/files-backup/." "$work/data/"

found=$(query "select string_agg(\"bizId\", ', ' order by \"bizId\") from \"auditLog\" where action = '写入'")
wanted='before the incremental, before the moment'
[ "$found" = "$wanted" ] || { echo "found: $found; wanted: $wanted" >&2; exit 1; }
say 'what was written before the moment is there, and nothing that came later; the program starts on it'
start_program "$work/data"
stop_program
say 'passed'
