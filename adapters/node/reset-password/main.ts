import { parseArgs } from 'node:util'
import { createLog } from '../../../functions/kit/logger.ts'
import { readConfig } from '../config/config.ts'
import { endProgram } from '../start/end-program.ts'
import { resetIn } from './reset.ts'

const usage = `Gives a user a new password, for someone who can sign in no more.

  npm run reset-password -- NAME [--remove-second-factor]

Prints a random password. Ends the user's sessions, API tokens and passkeys, and a lock after failed
logins.
--remove-second-factor also removes the second factor, for someone who lost it.
Uses the store that the configuration variables of the service name (SERVICE_STORE). Stop the
service first, unless its store is a server of its own.
`

const end = endProgram('Not reset')

/** @throws an error of Node.js for an unknown flag */
function readWords() {
  const options = {
    'remove-second-factor': { type: 'boolean' },
    help: { type: 'boolean' },
  } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [username, ...more] = positionals
  if (values.help) return 'help'
  if (!username || more.length > 0) throw new Error('name one user')
  return { username, removesSecondFactor: values['remove-second-factor'] === true }
}

/** Returns the words of the command line, or ends with 2 if they are wrong. */
function wordsOrEnd() {
  try {
    return readWords()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}

async function run(words: ReturnType<typeof readWords>): Promise<void> {
  if (words === 'help') return void process.stdout.write(usage)
  const config = readConfig(process.env)
  const { account, password } = await resetIn(config, words, createLog(config.logLevel))
  process.stdout.write(`${account.username} has a new password:\n\n  ${password}\n\n`)
  if (account.disabled) process.stdout.write('The user is disabled: an admin enables it.\n')
  if (account.mfaEnabled) process.stdout.write('A login also asks for the second factor.\n')
}

try {
  await run(wordsOrEnd())
} catch (error) {
  end(error)
}
process.exit()
