import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { present } from '../../adapters/testing/present.ts'
import type { SftpTarget } from '../../functions/core/records/backup-target.ts'
import { boundToParent } from './bound-process.ts'
import { freePort } from './free-port.ts'

/** OpenSSH's server on the loopback interface, for SFTP only. */
export interface SshServer {
  port: number
  /** A directory that the account owns and may write to. */
  directory: string
  /** Returns a target that signs in with the account's key, unless changed. */
  target(changes?: Partial<SftpTarget>): SftpTarget
  /** A private key that belongs to no account. */
  strangeKey: string
  /** Kills it and all sessions, like a machine that loses power. */
  kill(): Promise<void>
  close(): Promise<void>
}

export const sshPassword = 'the-password-of-the-account-4711'
export const keyPassphrase = 'the-passphrase-of-the-key-4711'

/**
 * Starts `sshd` (Debian's package openssh-server) on a free port, with a new system account,
 * because password authentication needs one. Requires root.
 */
export async function startSsh(): Promise<SshServer> {
  const directory = await mkdtemp('/tmp/sshd-')
  const port = await freePort()
  const username = `cs-test-${process.pid}-${port}`
  const home = join(directory, 'home')
  execFileSync('chmod', ['711', directory])
  execFileSync('useradd', [
    '--no-create-home',
    '--home-dir',
    home,
    '--shell',
    '/bin/false',
    username,
  ])
  execFileSync('chpasswd', { input: `${username}:${sshPassword}\n` })
  await mkdir(home, { mode: 0o700 })
  const own = (option: string) =>
    Number(execFileSync('id', [option, username], { encoding: 'utf8' }))
  await chown(home, own('-u'), own('-g'))
  const makeKey = async (name: string, passphrase: string) => {
    const path = join(directory, name)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', path])
    return { secret: await readFile(path, 'utf8'), open: await readFile(`${path}.pub`, 'utf8') }
  }
  await makeKey('host', '')
  const key = await makeKey('account', keyPassphrase)
  const strange = await makeKey('strange', '')
  await writeFile(join(directory, 'authorized'), key.open)
  const shown = execFileSync('ssh-keygen', ['-lf', join(directory, 'host.pub')], {
    encoding: 'utf8',
  })
  const config = join(directory, 'config')
  await writeFile(config, configuration(directory, port, username))
  // The privilege separation directory, which Debian's start script would create.
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const words = ['-D', '-e', '-f', config]
  const child = spawn(...boundToParent('/usr/sbin/sshd', words), { stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`sshd ended with ${child.exitCode}`)
  }
  async function kill() {
    for (const pid of [...descendantsOf(present(child.pid)), present(child.pid)]) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has already exited.
      }
    }
    if (child.exitCode === null && child.signalCode === null) await ended
  }
  return {
    port,
    directory: home,
    strangeKey: strange.secret,
    target: (changes = {}) => ({
      kind: 'sftp',
      host: '127.0.0.1',
      port,
      username,
      path: home,
      hostKey: present(/SHA256:\S+/.exec(shown))[0],
      password: null,
      privateKey: key.secret,
      passphrase: keyPassphrase,
      ...changes,
    }),
    kill,
    async close() {
      await kill()
      execFileSync('userdel', [username])
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const configuration = (directory: string, port: number, username: string) => `
ListenAddress 127.0.0.1
Port ${port}
HostKey ${directory}/host
PidFile none
UsePAM no
AllowUsers ${username}
PasswordAuthentication yes
PubkeyAuthentication yes
AuthorizedKeysFile ${directory}/authorized
StrictModes no
Subsystem sftp internal-sftp
ForceCommand internal-sftp
MaxStartups 100
`

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Returns the IDs of all descendants of a process. */
function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [, parent] = /\) . (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      parents.set(Number(name), Number(parent))
    } catch {
      // It has exited meanwhile.
    }
  }
  const found = [pid]
  for (const one of found) {
    for (const [child, parent] of parents) if (parent === one) found.push(child)
  }
  return found.slice(1)
}
