import { parseDotenv } from '../../functions/compose/load/dotenv.ts'
import { failed } from '../failure.ts'
import type { Io } from '../io.ts'
import { readNamed } from './named-file.ts'

/** Returns the variables of a file in the form of `.env`, with the values that they have there. */
export async function readVariables(
  io: Pick<Io, 'cwd'>,
  file: string,
): Promise<Map<string, string>> {
  const text = await readNamed(io, file, 'variable file')
  const problems: string[] = []
  const variables = parseDotenv(text, file, undefined, undefined, ({ detail, position }) => {
    const line = position?.line === undefined ? '' : `, line ${position.line}`
    problems.push(`the variable file ${JSON.stringify(file)}${line}: ${detail}`)
  })
  const [problem] = problems
  if (problem !== undefined) throw failed(problem)
  return variables
}
