import type { Reach } from '../../compose/project.ts'
import { reachOf, saverOf } from '../access/reach.ts'
import { Failure } from '../errors.ts'
import type { CheckedProject } from '../ports/composer.ts'
import type { Caller } from '../records/account.ts'
import type { Saver } from '../records/stack-files.ts'
import type { FilesPatch } from './apply-patch.ts'
import type { LoadedStack } from './compose-input.ts'
import { checkTexts, type LoadPorts } from './load-project.ts'
import type { StackTexts } from './texts.ts'

/** What the caller of a change may do. */
export interface ChangeRights {
  reach: Reach
  /** The permission `stacks:secrets`. */
  readsSecrets: boolean
  by: Saver
}

/** Returns what a caller may do in a change of a stack's files. */
export const changeRightsOf = (caller: Pick<Caller, 'account' | 'permissions'>): ChangeRights => ({
  reach: reachOf(caller),
  readsSecrets: caller.permissions.has('stacks:secrets'),
  by: saverOf(caller.account),
})

/** The files to check. */
interface Candidate {
  stack: LoadedStack
  texts: StackTexts
  /** What the caller sent and therefore knows. */
  patch: FilesPatch
  /** The paths of secret files in the tree. `.env` is secret too. */
  secrets: ReadonlySet<string>
}

/**
 * Checks that the files load, as `checkTexts` does. For a caller without `stacks:secrets` the
 * message of a failure has no part of a secret file that the caller did not send: compose files can
 * refer to any file and put any value into any attribute.
 *
 * @throws what `checkTexts` throws
 */
export async function checkChange(
  { reach, readsSecrets }: ChangeRights,
  { stack, texts, patch, secrets }: Candidate,
  ports: LoadPorts,
): Promise<CheckedProject> {
  try {
    return await checkTexts(stack, texts, reach, ports)
  } catch (error) {
    if (readsSecrets || !(error instanceof Failure)) throw error
    const withoutSecretValues = withoutSecrets(texts, patch, secrets)
    const other = await failureOf(() => checkTexts(stack, withoutSecretValues, reach, ports))
    // The message is the same without the secrets, so it cannot contain any.
    if (other?.message === error.message) throw error
    throw new Failure(error.status, hidden(error.message), {
      ...(error.reason ? { reason: error.reason } : {}),
    })
  }
}

function withoutSecrets(
  texts: StackTexts,
  patch: FilesPatch,
  secrets: ReadonlySet<string>,
): StackTexts {
  const tree = Object.entries(texts.tree).map(
    ([path, file]) =>
      [
        path,
        secrets.has(path) && !patch.has(path) ? { content: new Uint8Array(), mode: 0 } : file,
      ] as const,
  )
  const env = texts.env === null || patch.has('.env') ? texts.env : ''
  return { ...texts, env, shared: undefined, tree: Object.fromEntries(tree) }
}

async function failureOf(work: () => Promise<unknown>): Promise<Failure | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** Returns only the position of a problem. */
function hidden(message: string): string {
  const [place = ''] = /^[^\s:]+:\d+(:\d+)?: /.exec(message) ?? []
  return `${place}it does not load with the content of secret files: an account with stacks:secrets sees why`
}
