import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface GitServerOptions {
  /** The directory that has the repositories. */
  root: string
  account?: { username: string; password: string }
  /** The newest version of the protocol that it speaks. */
  protocol?: 0 | 2
  /** Answers a request instead of git. Returns false for those that git answers. */
  instead?(request: IncomingMessage, response: ServerResponse): boolean
}

/** git's own server over https, with the certificate of an authority of its own. */
export interface GitServer {
  url: string
  port: number
  certificateAuthority: string
  /** What was asked for, such as `POST /bare.git/git-upload-pack`. */
  requests: string[]
}

/**
 * Starts `git http-backend` behind a server on the loopback interface. It has every repository
 * below the directory, and runs until `close`.
 */
export async function serveGit(options: GitServerOptions): Promise<GitServer & { close(): void }> {
  const { key, cert } = makeCertificate()
  const requests: string[] = []
  const server = createServer({ key, cert }, (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (options.instead?.(request, response)) return
    if (!isAllowed(request, options)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end()
    } else backend(request, response, options)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    port,
    requests,
    certificateAuthority: cert,
    url: `https://127.0.0.1:${port}/bare.git`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function isAllowed({ headers }: IncomingMessage, { account }: GitServerOptions): boolean {
  if (!account) return true
  const pair = Buffer.from(`${account.username}:${account.password}`).toString('base64')
  return headers.authorization === `Basic ${pair}`
}

function backend(
  request: IncomingMessage,
  response: ServerResponse,
  { root, protocol = 2 }: GitServerOptions,
): void {
  const url = new URL(request.url ?? '/', 'https://localhost')
  const version = protocol === 0 ? undefined : request.headers['git-protocol']
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: root,
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      ...(version !== undefined && { GIT_PROTOCOL: String(version) }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(child.stdin)
  child.stdin.on('error', () => {})
  response.once('close', () => child.kill())
  let head = Buffer.alloc(0)
  const onHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    child.stdout.off('data', onHead)
    const lines = head.subarray(0, end).toString('latin1').split('\r\n')
    const fields = lines.map((line) => line.split(': ', 2) as [string, string])
    const status = Number.parseInt(fields.find(([name]) => name === 'Status')?.[1] ?? '200', 10)
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')))
    response.write(head.subarray(end + 4))
    child.stdout.pipe(response)
  }
  child.stdout.on('data', onHead)
}

/** Returns a key, and a certificate of it for 127.0.0.1 that is its own authority. */
export function makeCertificate(): { key: string; cert: string } {
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'))
  const at = (name: string) => join(directory, name)
  try {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
        ...['-keyout', at('key'), '-out', at('cert'), '-days', '2', '-subj', '/CN=git of a test'],
        ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:git.example.test'],
      ],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(at('key'), 'utf8'), cert: readFileSync(at('cert'), 'utf8') }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
