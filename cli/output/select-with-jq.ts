import { loadJq } from 'jq-wasm/inline'
import { wrongUsage } from '../failure.ts'

/**
 * Returns a function that applies a jq expression to a value. Texts are returned as they are, other
 * results as JSON, each in a line. The function throws wrong usage if the expression is invalid or
 * does not fit the value. jq itself runs, as WebAssembly: a small implementation in JavaScript was
 * wrong without saying so (`.[-1:]`, `sort_by(-.n)`).
 */
export async function selector(expression: string): Promise<(value: unknown) => string> {
  const jq = await loadJq()
  return (value) => {
    const { stdout, stderr, exitCode } = jq.raw(JSON.stringify(value), expression, ['-r', '-c'])
    if (exitCode !== 0) throw wrongUsage(`--jq: ${messageOf(stderr)}`)
    return stdout === '' || stdout.endsWith('\n') ? stdout : `${stdout}\n`
  }
}

/** The first line of an error says what it is; the further ones repeat the expression. */
const messageOf = (stderr: string) =>
  stderr
    .trim()
    .split('\n')[0]
    ?.replace(/^jq: error(?: \([^)]*\))?: /, '') ?? ''
