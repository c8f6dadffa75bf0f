import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import type { Settings } from '../../records.ts'
import { clean } from '../../text.ts'

const ownArgs = '<key> <value>'

export default command({
  args: ownArgs,
  details: '\nActs in every process within a second. What the configuration file sets stays.',
  examples: ['cli settings set auth.lockout_max_attempts 3'],
  run: set,
})

async function set({ args: { key, value }, client, print }: Call<typeof ownArgs>) {
  if (!/^\d+(\.\d+)?$/.test(value)) throw wrongUsage(`${JSON.stringify(value)}: a number`)
  const service = await client()
  const reply = await service.put<Settings>('/settings', { body: { [key]: Number(value) } })
  print.reply(reply, () => print.line(`${clean(key)} is ${clean(value)}`))
}
