import { directory, file, symlink } from '../contents/entries.mjs'

/** @typedef {import('../contents/entries.mjs').Entry} Entry */

/** The user of the service in a container. It is no user of any host. */
export const user = 65532

/** Where the programs are. */
export const home = 'opt/container-stacks'

/**
 * Returns what a container needs besides the packages: the user, the directory of the data and the
 * commands.
 *
 * @returns {Entry[]}
 */
export const systemFiles = () => [
  directory('tmp', { mode: 0o1777 }),
  directory('proc'),
  directory('sys'),
  directory('dev'),
  directory('run'),
  directory('root', { mode: 0o700 }),
  // A new volume gets the owner and the mode of the directory that it is mounted on.
  directory('data', { mode: 0o700, uid: user, gid: user }),
  ...['lib', 'lib64', 'bin', 'sbin'].map((name) => symlink(name, `usr/${name}`)),
  directory('usr/bin'),
  directory('usr/sbin'),
  file(
    'etc/passwd',
    `root:x:0:0:root:/root:/sbin/nologin\nservice:x:${user}:${user}::/data:/sbin/nologin\n`,
  ),
  file('etc/group', `root:x:0:\nservice:x:${user}:\n`),
  file('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
  ...commandFiles(),
]

/** Returns the commands of the image. */
export const commandFiles = () =>
  commands.map(([name, program]) => file(`usr/local/bin/${name}`, launcher(program), 0o755))

/** The commands of the image and their programs. There is no shell. */
const commands = [
  ['container-stacks', 'service.js'],
  ['container-stacks-agent', 'agent.js'],
  ['container-stacks-reset-password', 'reset-password.js'],
  ['container-stacks-restore', 'restore.js'],
  ['container-stacks-store', 'store.js'],
  ['cli', 'cli.js'],
]

/** @param {string | undefined} program */
const launcher = (program) =>
  `#!/usr/bin/node --heap-growing-percent=100\nimport('/${home}/${program}')\n`
