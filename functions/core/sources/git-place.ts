import { SourceFailure } from '../ports/source-reader.ts'
import type { SourceAddress } from '../records/source-address.ts'
import { parseUrl } from '../url.ts'

/**
 * A git repository, and how it is read. The URL is `https://host/path`, `ssh://user@host/path` or
 * `user@host:path`; the reference is a branch, a tag or a full commit ID.
 */
export type GitSource = Omit<SourceAddress, 'kind'>

/** The parts of an address that was checked. */
export interface GitPlace {
  scheme: 'https' | 'ssh'
  host: string
  port: number
  /** Only for ssh. */
  username: string | undefined
  path: string
  /** What git gets, without a user name or password. */
  url: string
}

const short = /^(?:([\w.-]+)@)?([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:]+\]):(?!\/\/)([^:].*)$/
const bytesMax = 2048

/**
 * Returns the parts of the address of a repository.
 *
 * @throws SourceFailure `not-allowed` if it is neither https nor ssh, or has credentials in it
 */
export function parsePlace(url: string): GitPlace {
  if (/[\u0000-\u0020\u007f]/.test(url) || Buffer.byteLength(url) > bytesMax) {
    throw wrong('has spaces or control characters, or is longer than 2048 bytes')
  }
  if (/^[^/@]*:[^/@]*@/.test(url)) throw withCredentials()
  const [, user, host = '', path = ''] = short.exec(url) ?? []
  if (host !== '') return sshPlace(user, host, 22, path)
  const parsed = parseUrl(url)
  if (!parsed || parsed.hostname === '') throw wrong('is no address of a repository')
  if (parsed.search !== '' || parsed.hash !== '') throw wrong('has a query or a fragment')
  if (parsed.protocol === 'ssh:') {
    if (parsed.password !== '') {
      throw wrong('has a password in it: leave it out, because a key signs in over ssh')
    }
    const name = decoded(parsed.username)
    const port = Number(parsed.port || 22)
    return sshPlace(name || undefined, parsed.hostname, port, decoded(parsed.pathname))
  }
  if (parsed.protocol !== 'https:') {
    throw wrong(`begins with ${parsed.protocol}//, which is not read: use https:// or ssh://`)
  }
  if (parsed.username !== '' || parsed.password !== '') throw withCredentials()
  const port = Number(parsed.port || 443)
  return {
    scheme: 'https',
    host: plainHost(parsed.hostname),
    port,
    username: undefined,
    path: parsed.pathname,
    url: parsed.href,
  }
}

function sshPlace(user: string | undefined, host: string, port: number, path: string): GitPlace {
  if (path === '' || path === '/') throw wrong('names no repository')
  // Servers take what begins with a hyphen for an option.
  if (/^-/.test(path) || /[\u0000-\u001f\u007f]/.test(path)) throw wrong('has an unusual path')
  if (user !== undefined && !/^[\w][\w.@+-]*$/.test(user)) throw wrong('has an unusual user name')
  const plain = plainHost(host)
  if (plain.startsWith('-')) throw wrong('has an unusual host name')
  return { scheme: 'ssh', host: plain, port, username: user, path, url: 'fd::3' }
}

/**
 * Returns the one way in which the address of a repository is written: its host in lower case, no
 * usual port, and no slash at its end.
 *
 * @throws SourceFailure `not-allowed` if it is no address of a repository
 */
export function plainUrl(url: string): string {
  const { scheme, host, port, username, path } = parsePlace(url)
  const trimmed = path.replace(/(?<=.)\/+$/, '')
  const [, , shortHost] = short.exec(url) ?? []
  const at = username === undefined ? '' : `${username}@`
  // Without a scheme, the path begins at the home of the account.
  if (shortHost !== undefined) return `${at}${shortHost.toLowerCase()}:${trimmed}`
  const usual = scheme === 'https' ? 443 : 22
  const shown = host.includes(':') ? `[${host}]` : host
  const escaped =
    scheme === 'https' ? trimmed : encodeURI(trimmed).replaceAll(/[?#]/g, encodeURIComponent)
  return `${scheme}://${at}${shown}${port === usual ? '' : `:${port}`}${escaped}`
}

const plainHost = (host: string) => host.toLowerCase().replace(/^\[(.*)\]$/, '$1')

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw wrong('has a % that is not followed by two digits')
  }
}

const wrong = (why: string) => new SourceFailure('not-allowed', `the URL of the source ${why}`)
const withCredentials = () =>
  wrong('has a user name or a password in it: send them as username and password')

/** A full ID of a commit. */
export const isCommitId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/**
 * Checks the name of a branch or tag by the rules of `git check-ref-format`.
 *
 * @throws SourceFailure `no-such-ref`
 */
export function checkRef(ref: string): void {
  const isName =
    /^[^\u0000-\u0020\u007f~^:?*[\\]{1,255}$/.test(ref) &&
    !/^[-+/]|\.\.|@\{|\/\/|\/\.|^\.|[./]$|\.lock(\/|$)|^@$/.test(ref)
  if (isName) return
  const shown = JSON.stringify(ref.slice(0, 140))
  throw new SourceFailure('no-such-ref', `${shown} is no name of a branch or tag, and no commit ID`)
}
