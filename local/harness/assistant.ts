import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Json } from '../../adapters/testing/json.ts'
import { boundToParent } from './bound-process.ts'
import { clientProgram } from './client-program.ts'

const top = resolve(import.meta.dirname, '../..')
const fromSource = [process.execPath, '--import', 'tsx', resolve(top, 'cli/main.ts')]

/**
 * Starts `cli mcp` as an assistant does, in a process of its own, and speaks to it by its standard
 * input and output.
 *
 * @param words further flags, such as `--write`
 */
export function startAssistant(words: readonly string[], env: Record<string, string>) {
  const executable = clientProgram()
  const [program = '', ...before] = executable ? [executable] : fromSource
  const child = spawn(...boundToParent(program, [...before, 'mcp', ...words]), {
    env: { PATH: process.env.PATH, ...env },
    cwd: top,
  })
  const messages: Json[] = []
  const waiting = new Map<number, (answer: Json) => void>()
  let noise = ''
  let asked = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message: Json = JSON.parse(line)
    messages.push(message)
    waiting.get(message.id)?.(message)
  })
  child.stderr.on('data', (chunk) => {
    noise += chunk
  })
  // A server that ended early does not read its input.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code]): number => code)
  const send = (message: object) =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  /** Sends a request, and returns its id and its response. */
  const begin = (method: string, params: object = {}) => {
    asked += 1
    const id = asked
    const answer = new Promise<Json>((done) => waiting.set(id, done))
    send({ id, method, params })
    return { id, answer }
  }
  return {
    begin,
    send,
    /** Sends a line as it is. */
    sendLine: (line: string) => void child.stdin.write(`${line}\n`),
    ask: (method: string, params?: object): Promise<Json> => begin(method, params).answer,
    /** Calls a tool. Returns what its text says, and whether it is an error. */
    async use(name: string, given: object = {}): Promise<{ isError: boolean } & Json> {
      const { result } = await begin('tools/call', { name, arguments: given }).answer
      return { isError: result.isError ?? false, ...JSON.parse(result.content[0].text) }
    },
    /** All messages that came so far. */
    messages,
    /** Ends its input. */
    end: () => void child.stdin.end(),
    /** Resolves with the exit code. */
    ended,
    noise: () => noise,
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      child.kill('SIGKILL')
      await ended
    },
  }
}
