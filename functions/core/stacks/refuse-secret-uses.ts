import { namesIn } from '../../compose/load/template.ts'
import type { SecretUse } from '../../compose/show/secret-uses.ts'
import { Failure, forbidden } from '../errors.ts'
import type { FilesPatch } from './apply-patch.ts'
import type { ChangeRights } from './check-change.ts'
import { composeInput, type LoadedStack, loadReading } from './compose-input.ts'
import type { LoadPorts } from './load-project.ts'
import type { StackTexts, StoredTexts } from './texts.ts'

interface Changed {
  stack: LoadedStack
  before: StoredTexts
  after: StackTexts
  /** What the caller sent and therefore knows. */
  patch: FilesPatch
  /** The paths of secret files in the tree. `.env` is secret too. */
  secrets: ReadonlySet<string>
  /** The paths of files of the patch that the caller does not know either. */
  decrypted: ReadonlySet<string>
  /** The variables of `.env` in which the change puts values that the caller does not know. */
  mixed: ReadonlySet<string>
}

/**
 * Refuses a change by a caller without `stacks:secrets` that makes the compose files use a secret
 * value in a new place where others see it, such as the name of an image or a label. Names, labels
 * and commands appear in plans, deployments, lists and errors, so this is the one place that keeps
 * values out of all of them. It reads no secret value, so that its answer tells none.
 *
 * @throws 403, or 422 if the files are not valid
 */
export async function refuseSecretUses(
  { stack, before, after, patch, secrets, decrypted, mixed }: Changed,
  { reach, readsSecrets }: ChangeRights,
  ports: LoadPorts,
): Promise<void> {
  const stored = secretPaths(before, secrets)
  const kept = stored.filter((path) => !patch.has(path))
  const unknown = [...new Set([...kept, ...decrypted])]
  // The caller knows none of the values of sets.
  if (readsSecrets || (unknown.length === 0 && !after.shared)) return
  const uses = (texts: StackTexts, secret: string[]) =>
    usesOf(stack, texts, { secret, reach }, ports)
  const found = await uses(after, unknown)
  if (found.length === 0) return
  // A set that got a variable since shows no more by this change.
  const same = { ...before, shared: after.shared }
  const keysOf = async (secret: string[]) =>
    (await uses(same, secret).catch(noneIfInvalid)).map(({ key }) => key)
  const known = new Set(await keysOf(stored))
  // What the caller sends may refer to unknown values as the file that it replaces did.
  if (found.some(({ key }) => !known.has(key))) {
    for (const key of await keysOf(unknown)) known.add(key)
  }
  // A place that is known shows another value, if its variable gets one from another variable.
  const isChanged = ({ text }: SecretUse) => namesIn(text).some((name) => mixed.has(name))
  const added = found.find((use) => !known.has(use.key) || isChanged(use))
  if (added) throw forbidden(refusal(added))
}

const secretPaths = ({ env, tree }: StoredTexts, secrets: ReadonlySet<string>): string[] => [
  ...(env === null ? [] : ['.env']),
  ...[...secrets].filter((path) => Object.hasOwn(tree, path)),
]

function usesOf(
  stack: LoadedStack,
  texts: StackTexts,
  { secret, reach }: { secret: string[]; reach: ChangeRights['reach'] },
  ports: LoadPorts,
): Promise<SecretUse[]> {
  const inputs = [null, ...Object.keys(texts.overlays)].map((environment) =>
    composeInput(stack, texts, { environment, reach }),
  )
  return loadReading(stack, texts, ports, (files) =>
    ports.composer.secretUses(inputs.map((input) => ({ ...input, ...files, secret }))),
  )
}

function noneIfInvalid(error: unknown): SecretUse[] {
  if (error instanceof Failure && error.status < 500) return []
  throw error
}

/** Characters of a text in a message. */
const shownMax = 200

const refusal = ({ place, text }: SecretUse): string =>
  `${place}: ${text.slice(0, shownMax)} shows content of a secret file or a set of variables: without the permission stacks:secrets ` +
  'it can be added only to `environment` of a service'
