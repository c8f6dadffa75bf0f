import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '../../adapters/testing/json.ts'
import { repositoryIn, type TestRepository } from '../harness/git/repository-in.ts'
import { serveGit } from '../harness/git/serve.ts'
import type { Service } from './service.ts'

/** A request of git to the forge. */
export interface GitRequest {
  /** Milliseconds, as of `performance.now()`. */
  at: number
  /** The repository that it names. */
  repository: string
  /** Whether it begins an exchange: a look has one, and so has a read. */
  isFirst: boolean
}

/** Repositories that git's own server has, on the loopback interface. */
export interface Forge {
  /** The directory that has one directory for each repository. */
  root: string
  certificateAuthority: string
  /** In the order in which they came. */
  requests: GitRequest[]
  urlOf(name: string): string
  /** Makes a repository without commits. */
  make(name: string): TestRepository
  /** Stops the server and removes the repositories. */
  close(): void
}

/** The settings of a service that may ask the forge. */
export const mayAskForge = { SERVICE_OUTBOUND_ALLOW: '127.0.0.1' }

/** Starts a server without repositories. */
export async function startForge(): Promise<Forge> {
  const root = mkdtempSync(join(tmpdir(), 'container-stacks-forge-'))
  const requests: GitRequest[] = []
  const server = await serveGit({
    root,
    instead({ method, url = '' }) {
      const [, repository = ''] = url.split('/')
      requests.push({ at: performance.now(), repository, isFirst: method === 'GET' })
      return false
    },
  })
  return {
    root,
    requests,
    certificateAuthority: server.certificateAuthority,
    urlOf: (name) => `https://127.0.0.1:${server.port}/${name}/bare.git`,
    make(name) {
      const directory = join(root, name)
      mkdirSync(directory)
      return repositoryIn(directory)
    },
    close() {
      server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/**
 * Makes a source of the branch `main` of a repository.
 *
 * @param lookEvery seconds; null: it is only asked on request
 */
export const makeSource = (
  { call }: Service,
  { urlOf, certificateAuthority }: Forge,
  { name, repository, lookEvery }: { name: string; repository: string; lookEvery: number | null },
): Promise<Json> =>
  call('POST', '/sources', {
    name,
    kind: 'git',
    url: urlOf(repository),
    ref: 'main',
    look_every_seconds: lookEvery,
    certificate_authority: certificateAuthority,
  })

/** Lets a stack follow a folder of a source. Nothing is deployed. */
export const bindStack = (
  { call }: Service,
  { stack, source, path }: { stack: string; source: string; path: string },
): Promise<Json> => call('PUT', `/stacks/${stack}/source`, { source, path, on_change: 'plan' })
