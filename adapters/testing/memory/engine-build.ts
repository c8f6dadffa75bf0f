import { createHash } from 'node:crypto'
import { dockerfileImages } from '../../../functions/compose/build/dockerfile-images.ts'
import { readDockerfile } from '../../../functions/compose/build/read-dockerfile.ts'
import { refuseBases } from '../../../functions/compose/build/refuse-bases.ts'
import { refuseDials } from '../../../functions/compose/build/refuse-dials.ts'
import type { StepOutcome } from '../../../functions/compose/snapshot.ts'
import type { Step } from '../../../functions/compose/step.ts'
import { internalError, unprocessable } from '../../../functions/core/errors.ts'
import type { EngineState } from './engine-state.ts'

/**
 * Builds an unnamed image from the files on the host. The same files make the same image. Fails for
 * a `RUN exit` with a non-zero code, and for a base image that does not exist.
 */
export function buildImage(
  state: EngineState,
  { name, build }: Extract<Step, { action: 'build' }>,
): StepOutcome {
  const failed = (text: string) => `Building ${name} failed: ${text}`
  for (const secret of build.secrets) {
    if ('content' in secret || state.files.has(secret.file)) continue
    const text = `the secret ${JSON.stringify(secret.id)} is not a file of the host: ${secret.file}`
    throw unprocessable(failed(text))
  }
  const inside = [...state.files].filter(([path]) => path.startsWith(`${build.context}/`))
  if (inside.length === 0) {
    const text = `the build context ${build.context} is not a directory on the host`
    throw unprocessable(failed(text))
  }
  const file = state.files.get(build.dockerfile)
  const text = build.inline ?? (file && Buffer.from(file.content).toString('utf8'))
  if (text === undefined) {
    throw unprocessable(failed(`there is no file ${build.dockerfile} on the host`))
  }
  const dockerfile = readDockerfile(text)
  const bases = dockerfileImages(dockerfile)
  if (build.refused) refuseBases(build.refused, bases)
  refuseDials(dockerfile, build)
  const [instructions = []] = dockerfile.readings
  const from = instructions.find(({ word }) => word === 'FROM')?.text.split(' ')[0]
  const base =
    from === 'scratch' ? from : state.images.get(from?.includes(':') ? from : `${from}:latest`)
  if (base === undefined) throw internalError(failed(`pull access denied for ${from}`))
  const commands = instructions.filter(({ word }) => word === 'RUN').map((one) => one.text)
  const code = /exit ([1-9]\d*)/.exec(commands.join('\n'))?.[1]
  if (code) throw internalError(failed(`a command returned a non-zero code: ${code}`))
  const hash = createHash('sha256').update(text).update(base)
  for (const [path, { content }] of inside) hash.update(path).update(content)
  const id = `sha256:${hash.digest('hex')}`
  if (![...state.images.values()].includes(id)) state.unnamed.add(id)
  return { id, warnings: [], bases }
}
