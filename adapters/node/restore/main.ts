import { Failure } from '../../../functions/core/errors.ts'
import { ConfigError } from '../config/schema.ts'
import { startTrouble } from '../start/start-trouble.ts'
import { parseArguments, UsageError, usage } from './arguments.ts'
import { restoreCopy } from './copy.ts'
import { restore } from './restore.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

function trouble(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: `${error.message}\n\n${usage}`, code: 2 }
  if (error instanceof ConfigError) return { text: error.message, code: 2 }
  const text = error instanceof Failure ? error.message : startTrouble(error)
  return { text: `Not restored: ${text}`, code: 1 }
}

function end(error: unknown): never {
  const { text, code } = trouble(error)
  process.stderr.write(`${text}\n`)
  process.exit(code)
}

// Without these handlers a restore could continue after an unhandled error and report a
// half-restored service as complete.
process.on('unhandledRejection', end)
process.on('uncaughtException', end)

try {
  const words = parseArguments(process.argv.slice(2))
  if (words === 'help') say(usage)
  else if ('copy' in words) await restoreCopy(words, say)
  else await restore(words, say)
  process.exit(0)
} catch (error) {
  end(error)
}
