import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { clean } from '../../output/text.ts'

const ownArgs = '<key> <value>'

export default command({
  args: ownArgs,
  details:
    '\nTakes effect in every process within a second. Settings of the configuration file cannot be changed here.',
  examples: [
    'cli settings set auth.lockout_max_attempts 3',
    'cli settings set registry.allow localhost:5000,nas.lan',
  ],
  run: set,
})

/** Settings that are lists. */
const lists = [
  ...['registry.allow', 'stacks.enterable_binds'],
  ...['stacks.shared_volumes', 'stacks.shared_networks'],
]

async function set({ args: { key, value }, client, print }: Call<typeof ownArgs>) {
  const sent = lists.includes(key) ? listOf(value) : numberOrBoolean(value)
  const service = await client()
  const reply = await service.put('/settings', { body: { [key]: sent } })
  print.reply(reply, () => print.line(`${clean(key)} is ${clean(value)}`))
}

function numberOrBoolean(value: string): number | boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  throw wrongUsage(`${JSON.stringify(value)} is not a number, true or false`)
}

/** Splits a comma-separated list. An empty text is an empty list. */
const listOf = (value: string): string[] => value.split(',').flatMap((entry) => entry.trim() || [])
