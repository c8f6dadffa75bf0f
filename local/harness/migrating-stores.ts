import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { askDocker } from '../../adapters/testing/docker.ts'
import { type ArchiveFile, tarOf } from '../../functions/core/tar/make.ts'
import { busyboxArchive } from '../setup/busybox.mjs'

/** Stores that migrate their data at their start: a service and a volume of each name. */
export const stores = ['file', 'sqlite', 'many'] as const

/** What the second version does once it has migrated the data. */
export const laterVersions = {
  /** It runs. */
  good: 'exec sleep 3600',
  /** It ends at once, each time. */
  bad: 'exit 3',
  /** It runs for a while, and then ends each time. */
  'bad later': '[ -e /began ] && exit 3; touch /began; sleep 12; exit 3',
}

/** The first version fills an empty store. It does not start with any other data than its own. */
const first = `
case $1 in
file)
  [ -e orders ] || { echo format 1; head -c 48000 /dev/urandom | base64; } >orders
  [ "$(head -n 1 orders)" = "format 1" ] || exit 9 ;;
sqlite)
  [ -e shop.db ] || sqlite3 shop.db "PRAGMA journal_mode = wal; BEGIN;
    CREATE TABLE orders (id INTEGER PRIMARY KEY, what BLOB);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO orders SELECT i, randomblob(100) FROM n;
    PRAGMA user_version = 1; COMMIT" >/dev/null
  [ "$(sqlite3 shop.db 'PRAGMA integrity_check; PRAGMA user_version; SELECT count(*) FROM orders' | xargs)" = "ok 1 300" ] || exit 9 ;;
many)
  [ -e format ] || {
    for day in 1 2 3 4 5; do mkdir -p $day; chmod 750 $day
      for one in 1 2 3 4 5 6 7 8 9; do head -c 900 /dev/urandom >$day/$one; done; chmod 600 $day/3
    done
    ln -s 1/1 first; chown -R 7:8 2; echo 1 >format; }
  [ "$(cat format) $(find . -type f | wc -l)" = "1 46" ] || exit 9 ;;
esac
echo ready 1; exec sleep 3600`

/** The second version rewrites the file, changes the table, and moves and removes files. */
const second = `
case $1 in
file) sed -i 's/format 1/format 2/; s/A/-/g' orders ;;
sqlite) [ "$(sqlite3 shop.db 'PRAGMA user_version')" = 2 ] || sqlite3 shop.db "BEGIN;
  ALTER TABLE orders ADD COLUMN paid INTEGER DEFAULT 0; DELETE FROM orders WHERE id % 7 = 0;
  UPDATE orders SET what = randomblob(200); PRAGMA user_version = 2; COMMIT" ;;
many) [ "$(cat format)" = 2 ] || {
  echo 2 >format; rm -r 5; for one in 1/*; do echo migrated >>$one; mv $one $one.old; done
  chown 0:0 2; rm first; mkdir new; echo order >new/1; } ;;
esac
echo ready 2
`

/** The program `sqlite3` of this machine with the libraries that it is linked with. */
function sqliteFiles(): ArchiveFile[] {
  const program = '/usr/bin/sqlite3'
  const linked = execFileSync('ldd', [program], { encoding: 'utf8' })
  const libraries = linked.match(/\/\S+/g) ?? []
  const file = (path: string, at: string) => ({
    path: at.slice(1),
    content: readFileSync(path),
    mode: 0o755,
  })
  return [
    file(program, '/bin/sqlite3'),
    ...libraries.map((path) => file(path, path.replace(/^\/usr/, ''))),
  ]
}

/** Returns the layer of an image of the stores, of the first version or of a later one. */
export async function storeLayer(version: 'first' | keyof typeof laterVersions): Promise<Buffer> {
  const work = version === 'first' ? first : `${second}${laterVersions[version]}`
  const start = { path: 'start', content: Buffer.from(`cd /data\n${work}\n`), mode: 0o755 }
  const more = await tarOf([...sqliteFiles(), start])
  return Buffer.concat([busyboxArchive().subarray(0, -1024), more])
}

/** Returns the compose file of a stack of the stores. */
export const composeOfStores = (image: string): string => {
  const service = (kind: string) =>
    `  ${kind}: {image: "${image}", command: [sh, /start, ${kind}], init: true, ` +
    `restart: always, volumes: ["${kind}:/data"]}\n`
  return `services:\n${stores.map(service).join('')}volumes: {${stores.join(', ')}}\n`
}

/** Returns digests, modes, owners and times of all files in volumes, by where they are mounted. */
export function dataOf(volumes: Record<string, string>): Promise<string> {
  const mounts = Object.entries(volumes).flatMap(([at, name]) => ['-v', `${name}:/all/${at}:ro`])
  const script = `cd /all; find . -type d | sort | xargs stat -c '%n %a %u %g'
    find . -type f | sort | tee /files | xargs stat -c '%n %a %u %g %Y %s'
    xargs md5sum </files; find . -type l | sort | while read -r one; do readlink "$one"; done`
  return askDocker('run', '--rm', ...mounts, 'busybox:latest', 'sh', '-c', script)
}
