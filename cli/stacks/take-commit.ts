import type { Client } from '../api/client.ts'
import { failed } from '../failure.ts'
import { clean } from '../output/text.ts'
import { commitDigits, isCommit } from '../resolve/find-deployment.ts'
import { sourcePatience } from '../source-patience.ts'

/** What a stack took of a commit. */
export interface TakenCommit {
  /** The revision of the stack with the files of the commit. */
  revision: number
  /** The ID of the deployment of it that the sync began; undefined if it began none. */
  begun: string | undefined
}

/**
 * Syncs a stack with its source, and checks that it has the files of a commit then. Throws a
 * `CliFailure` if the source has another commit, or if its files cannot be taken.
 */
export async function takeCommit(
  service: Client,
  name: string,
  commit: string,
): Promise<TakenCommit> {
  const digits = commitDigits(commit)
  const path = { name }
  await service.post('/stacks/{name}/source/sync', { path, timeout: sourcePatience })
  // The stack before its binding: what is taken in between has another commit.
  const { value: stack } = await service.get('/stacks/{name}', { path })
  const { value: binding } = await service.get('/stacks/{name}/source', { path })
  const { last_error: error, synced } = binding
  // A deployment that failed before is tried again.
  if (error && error.reason !== 'deployment-failed') {
    throw failed(`${clean(error.reason)}: ${clean(error.message)}`)
  }
  if (!synced || !isCommit(synced.revision, digits)) {
    const has = synced ? clean(synced.revision) : 'nothing'
    throw failed(`stack ${clean(name)} has ${has} of its source, and not commit ${clean(commit)}`, {
      hint: `the source is at another commit now: cli stacks source status ${clean(name)}`,
    })
  }
  const { value: deployments } = await service.get('/stacks/{name}/deployments', { path })
  const [newest] = deployments
  // One by a person can be of some services, or with other options.
  const isBySync = newest?.status === 'running' && newest.cause === 'source'
  const isOfCommit = isBySync && newest.source?.revision === synced.revision
  return { revision: stack.revision, begun: isOfCommit ? newest.id : undefined }
}
