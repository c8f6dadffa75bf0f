import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { engineCall } from './engine-api.mjs'
import { ensurePackages } from './packages.mjs'

const program = '/bin/busybox'

/**
 * Ensures that the Engine has an image `busybox:latest`. Builds it from Debian's static busybox, so
 * that examples and tests need no registry. Pulls it if that package is not available. Returns
 * false, after printing why, if neither works.
 */
export async function ensureBusybox({ print = console.log, environment = process.env } = {}) {
  const options = { environment, timeout: 120_000 }
  const found = await engineCall('GET', '/images/busybox:latest/json', options)
  if (found.status === 200) return true
  const ready =
    existsSync(program) || ensurePackages(['busybox-static'], 'the busybox image', print)
  const query = ready
    ? `fromSrc=-&repo=busybox&tag=latest&changes=${encodeURIComponent('CMD ["sh"]')}`
    : 'fromImage=busybox&tag=latest'
  print(ready ? 'Making the image busybox:latest' : 'Pulling the image busybox:latest')
  const body = ready ? busyboxArchive() : undefined
  const made = await engineCall('POST', `/images/create?${query}`, { ...options, body })
  const errors = made.text.split('\n').filter((line) => line.includes('"error"'))
  if (made.status === 200 && errors.length === 0) return true
  print(`The image busybox:latest could not be had: ${errors[0] ?? made.text}`)
  return false
}

/**
 * Returns a root file system: busybox with a link for each of its commands, and the directories and
 * files that programs expect.
 */
export function busyboxArchive() {
  const commands = execFileSync(program, ['--list'], { encoding: 'utf8' }).trim().split('\n')
  const links = [...new Set([...commands, 'sh'])].filter((name) => name !== 'busybox')
  const directories = ['bin', 'etc', 'root', 'home', 'usr', 'var', 'var/log', 'dev', 'proc', 'sys']
  return Buffer.concat([
    ...directories.map((name) => entry({ name: `${name}/`, type: '5', mode: 0o755 })),
    entry({ name: 'tmp/', type: '5', mode: 0o1777 }),
    entry({ name: 'usr/bin', type: '2', target: '/bin' }),
    entry({ name: 'sbin', type: '2', target: 'bin' }),
    entry({ name: 'bin/busybox', mode: 0o755, content: readFileSync(program) }),
    ...links.map((name) => entry({ name: `bin/${name}`, type: '2', target: 'busybox' })),
    entry({
      name: 'etc/passwd',
      content: 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/home:/bin/false\n',
    }),
    entry({ name: 'etc/group', content: 'root:x:0:\nnogroup:x:65534:\n' }),
    Buffer.alloc(1024),
  ])
}

/**
 * Returns one entry of a tar archive (POSIX ustar): header, content, padding. Names must be short.
 *
 * @param {object} file
 * @param {string} file.name
 * @param {string} [file.type]
 * @param {number} [file.mode]
 * @param {string} [file.target]
 * @param {string | Buffer} [file.content]
 */
function entry({ name, type = '0', mode = 0o644, target = '', content = '' }) {
  const data = typeof content === 'string' ? Buffer.from(content) : content
  const header = Buffer.alloc(512)
  /** @type {(value: number, width: number) => string} */
  const octal = (value, width) => value.toString(8).padStart(width - 1, '0') + '\0'
  header.write(name, 0)
  header.write(octal(mode, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(data.length, 12), 124)
  header.write(octal(0, 12), 136)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write(target, 157)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)])
}
