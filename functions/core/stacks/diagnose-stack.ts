import type { Diagnosis } from '../../compose/diagnose/diagnosis.ts'
import { reachOf } from '../access/reach.ts'
import { Failure } from '../errors.ts'
import type { Caller } from '../records/account.ts'
import { allowedRegistries } from '../registries/allowed.ts'
import { composeInput, type LoadedStack, loadReading } from './compose-input.ts'
import type { LoadPorts } from './load-project.ts'
import { mainFileOf, type StackTexts } from './texts.ts'

/** What to look for problems in. */
export interface Diagnosed {
  /** Null for files that belong to no stack, which may name their project as they like. */
  stack: LoadedStack | null
  texts: StackTexts
  /** Stored files that the caller may not see; see `hiddenFiles`. */
  secret: readonly string[]
  /** The overlay to apply; undefined for none and then each of them, as a change checks them. */
  environment: string | undefined
}

/** Files without a stack are checked as if they were in this directory. */
const unsavedStack: LoadedStack = { id: 'stack', directory: '/stack' }

/** Returns all problems that the files have for a caller who saves and deploys them. */
export async function diagnoseStack(
  { stack, texts, secret, environment }: Diagnosed,
  caller: Pick<Caller, 'permissions'>,
  ports: LoadPorts,
): Promise<Diagnosis> {
  const loaded = stack ?? unsavedStack
  const environments =
    environment === undefined ? [null, ...Object.keys(texts.overlays)] : [environment]
  const options = {
    anyName: stack === null,
    showsSecrets:
      (secret.length === 0 && !texts.shared) || caller.permissions.has('stacks:secrets'),
  }
  try {
    const reach = reachOf(caller)
    const inputs = environments.map((name) =>
      composeInput(loaded, texts, { environment: name, reach }),
    )
    const limits = { registries: await allowedRegistries(ports), secret }
    return await loadReading(loaded, texts, ports, (files) =>
      ports.composer.diagnose(
        inputs.map((input) => ({ ...input, ...files, ...limits })),
        options,
      ),
    )
  } catch (error) {
    // What cannot be loaded at all, such as for taking too much time, is a problem too.
    if (!(error instanceof Failure) || error.status !== 422) throw error
    const position = { path: mainFileOf(loaded), line: 1, column: 1 }
    const problem = { ...position, severity: 'error' as const, message: error.message }
    return { problems: [problem], isPartial: false }
  }
}
