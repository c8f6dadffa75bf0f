import type { StepOutcome } from '../../../functions/compose/snapshot.ts'
import { Failure, internalError } from '../../../functions/core/errors.ts'
import { streamFailure } from '../responses/errors.ts'
import { jsonLines, type ProgressLine } from '../responses/json-lines.ts'
import { traceReader } from './build-trace.ts'
import { outputEnd } from './output-end.ts'

/** The message for a builder error that `knownMessage` does not know. */
const unknownError =
  'the build failed for a reason that the service does not recognise; see the service log'

/** What to do with the output of a build. */
export interface OutputOptions {
  /**
   * Called with the first digits of the id of each image that the old builder uses or makes, and
   * possibly of other images.
   */
  onImage?: (shortId: string) => void
  /** Called with each image that BuildKit looks up or uses. See `Traced`. */
  onReference?: (kind: 'lookups' | 'bases', reference: string) => void
  /** Values that the message must not contain. */
  secrets?: Iterable<Buffer>
}

/**
 * Reads a build's output to its end. Returns the image's id and the builder's warnings. The Engine
 * responds with 200 before it knows how the build ends, so errors are in the stream. The message
 * has the output of a command that failed. It never has what the builder fetched, or the response
 * of a remote server.
 *
 * @throws 500 if the build fails
 */
export async function buildOutput(
  response: AsyncIterable<Buffer>,
  { onImage = () => {}, onReference = () => {}, secrets }: OutputOptions = {},
): Promise<StepOutcome & { id: string }> {
  const warnings: string[] = []
  const traced = traceReader()
  let id: string | undefined
  const output = outputEnd(secrets)
  for await (const line of jsonLines<ProgressLine>(response)) {
    const error = line.errorDetail?.message ?? line.error
    if (error) throw withOutput(streamFailure(String(error), unknownError), output.text())
    const { aux } = line
    if (typeof aux === 'object' && typeof aux?.ID === 'string') id = aux.ID
    const text = textOf(line.stream)
    const trace = typeof aux === 'string' ? traced(aux) : undefined
    output.add(trace?.output ?? text)
    for (const kind of ['lookups', 'bases'] as const) {
      for (const reference of trace?.[kind] ?? []) onReference(kind, reference)
    }
    const [, made] = shortId.exec(text) ?? []
    if (made !== undefined) onImage(made)
    const [, warning] = /^\[Warning\] (.+)/.exec(text) ?? []
    for (const one of [warning ?? '', ...(trace?.warnings ?? [])]) {
      if (one !== '' && warnings.length < warningsMax) warnings.push(printable(one).trim())
    }
  }
  if (id === undefined)
    throw internalError('it ended without an image', { reason: 'engine-failed' })
  return { id, warnings }
}

/**
 * The id of the image after a step of the old builder. The output of a command can look the same.
 */
const shortId = /^ ---> ([0-9a-f]{12})\s*$/

const warningsMax = 100

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/**
 * Adds output to a failure: all output of the command that failed, or only the line of the
 * Dockerfile for any other step.
 */
function withOutput(failure: Failure, output: string): Failure {
  const plain = printable(output)
  const step = plain.slice(Math.max(0, plain.lastIndexOf('\nStep '))).trim()
  const isCommand = failure.message.startsWith('a command of the Dockerfile failed')
  const shown = isCommand ? step : (/^Step \d+\/\d+ : .*/.exec(step)?.[0] ?? '')
  if (shown === '') return failure
  return new Failure(failure.status, `${failure.message}\n${shown}`, {
    cause: failure.cause,
    detail: failure.detail,
  })
}

const escapeCode = String.fromCharCode(27)
const colours = new RegExp(`${escapeCode}\\[[0-9;?]*[ -/]*[@-~]`, 'g')

/** Removes colours and other control characters from a text, except line feeds and tabs. */
const printable = (text: string): string =>
  text.replaceAll(colours, '').replaceAll(/(?![\n\t])\p{Cc}/gu, '')
