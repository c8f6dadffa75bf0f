import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from './oracle.ts'

/**
 * Returns the expected answers from the files beside a project: none, or one for each way to read
 * them.
 */
export function readExpectations(directory: string): Answer[] {
  const refusal = join(directory, 'expected.error')
  if (existsSync(refusal)) return [{ rejected: readFileSync(refusal, 'utf8').trim() }]
  const file = join(directory, 'expected.json')
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8').replaceAll('${WD}', directory)
  // docker compose writes each dollar twice. A hand-written file may have single dollars.
  const single = text.replaceAll('$$', '$')
  const texts = single === text ? [text] : [single, text]
  return texts.map((one) => ({ model: JSON.parse(one) }))
}

/**
 * Writes docker compose's answer beside a project, with doubled dollars and `${WD}` for its
 * directory.
 */
export function writeExpectation(directory: string, answer: Answer): void {
  if ('rejected' in answer) {
    const reason = answer.rejected.replaceAll(directory, '${WD}')
    writeFileSync(join(directory, 'expected.error'), `${reason}\n`)
    return
  }
  const text = JSON.stringify(answer.model, null, 2).replaceAll('$', '$$$$')
  writeFileSync(join(directory, 'expected.json'), `${text.replaceAll(directory, '${WD}')}\n`)
}
