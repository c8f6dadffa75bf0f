import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { onTestFinished } from 'vitest'
import { sshKeys } from '../../../adapters/git/keys.ts'
import { fingerprint } from '../../../adapters/net/host-key.ts'

/** A server of git over ssh, with a key for the account `git`. */
export interface GitSshServer {
  port: number
  url: string
  hostKey: string
  privateKey: string
  /** Commands that clients ran. */
  commands: string[]
  /** Lets a key sign in, from its public part as one line. */
  authorize(publicKey: string): void
}

/** Starts a server on the loopback interface that runs `git upload-pack` in a directory. */
export async function startGitSsh(root: string): Promise<GitSshServer> {
  const keys = sshKeys()
  const [host, user] = [await keys.make('host'), await keys.make('user')]
  const known = [publicKeyOf(user.publicKey)]
  const shown = publicKeyOf(host.publicKey)
  const commands: string[] = []
  const server = new ssh2.Server({ hostKeys: [host.privateKey] }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (context) => {
      const isKey = context.method === 'publickey' && known.some((one) => isSignedBy(one, context))
      if (isKey) context.accept()
      else context.reject(['publickey'])
    })
    client.on('session', (accept) => {
      const session = accept()
      const environment: Record<string, string> = {}
      session.on('env', (_accept, _reject, { key, val }) => {
        environment[key] = val
      })
      session.on('exec', (acceptExec, _reject, { command }) => {
        commands.push(command)
        const channel = acceptExec()
        const child = spawn('/bin/sh', ['-c', command], {
          cwd: root,
          env: {
            PATH: process.env.PATH ?? '',
            HOME: root,
            GIT_CONFIG_NOSYSTEM: '1',
            ...environment,
          },
        })
        channel.pipe(child.stdin)
        child.stdin.on('error', () => {})
        child.stdout.pipe(channel, { end: false })
        child.stderr.pipe(channel.stderr, { end: false })
        child.on('close', (code) => {
          channel.exit(code ?? 1)
          channel.end()
        })
        channel.on('close', () => child.kill())
      })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    port,
    commands,
    authorize: (line) => void known.push(publicKeyOf(line)),
    privateKey: user.privateKey,
    url: `ssh://git@127.0.0.1:${port}${join(root, 'bare.git')}`,
    hostKey: fingerprint(shown.getPublicSSH()),
  }
}

function publicKeyOf(line: string): ssh2.ParsedKey {
  const key = ssh2.utils.parseKey(line)
  if (key instanceof Error) throw key
  return key
}

/** Returns whether a client has the private part of a key, or asks whether the key may sign in. */
function isSignedBy(
  known: ssh2.ParsedKey,
  { key, signature, blob, hashAlgo }: ssh2.PublicKeyAuthContext,
): boolean {
  if (!key.data.equals(known.getPublicSSH())) return false
  return !signature || known.verify(blob ?? Buffer.alloc(0), signature, hashAlgo) === true
}
