import type { StepOutcome } from '../../functions/core/engine/engine.ts'
import { broken } from '../../functions/core/errors.ts'
import { traceOutput } from './build-trace.ts'
import { jsonLines } from './json-lines.ts'

/** Characters of a build's output that are kept for the message when it fails: the last ones. */
const outputKept = 2000

/**
 * Follows a build to its end and answers with the image's id and the builder's warnings. The Engine answers 200 before it
 * knows how the build ends: an error in the stream is a `Failure` 500 with the end of the output.
 */
export async function buildOutput(response: AsyncIterable<Buffer>): Promise<StepOutcome> {
  const warnings: string[] = []
  let id: string | undefined
  let output = ''
  for await (const line of jsonLines(response)) {
    const error = line.errorDetail?.message ?? line.error
    if (error) throw broken(withOutput(String(error), output))
    if (typeof line.aux?.ID === 'string') id = line.aux.ID
    const text = typeof line.aux === 'string' ? traceOutput(line.aux) : (line.stream ?? '')
    output = (output + text).slice(-outputKept)
    const [, warning] = /^\[Warning\] (.+)/.exec(text) ?? []
    if (warning) warnings.push(warning.trim())
  }
  if (id === undefined) throw broken('it ended without an image')
  return { id, warnings }
}

/** The output since the command that failed; colours are left out. */
function withOutput(message: string, output: string): string {
  const begin = String.fromCharCode(27)
  const plain = output.replaceAll(new RegExp(`${begin}\\[[0-9;]*m`, 'g'), '')
  const step = plain.slice(Math.max(0, plain.lastIndexOf('\nStep '))).trim()
  return step === '' ? message : `${message}\n${step}`
}
