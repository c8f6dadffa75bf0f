import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'

export default command({
  args: '<key>',
  details:
    '\nResets a setting to its default. Takes effect in every process within a second. Settings of the configuration file\ncannot be changed here.',
  examples: ['cli settings unset auth.lockout_max_attempts'],
  async run({ args: { key }, client, print }) {
    const service = await client()
    const reply = await service.put('/settings', { body: { [key]: null } })
    const value: Record<string, unknown> = { ...reply.value }
    print.reply(reply, () => print.line(`${clean(key)} is ${clean(String(value[key]))} again`))
  },
})
