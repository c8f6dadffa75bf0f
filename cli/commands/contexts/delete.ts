import { command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { configPath, readConfig, writeConfig } from '../../session/config.ts'
import { defaultContext, loginOf } from '../../session/context.ts'
import { endSession } from '../../session/end-session.ts'
import { withFileLock } from '../../session/lock.ts'

export default command({
  args: '<name>',
  flags: yesFlag,
  details: `
Ends the session of the context on its server, if that is reachable, and forgets the saved login. If the context was in
use, later commands use \`default\`.`,
  examples: ['cli context delete nas'],
  async run({ args, flags, io, print }) {
    const confirm = confirmation(io, flags)
    if (args.name === defaultContext) {
      throw wrongUsage('the default context cannot be deleted', 'run: cli logout')
    }
    const file = configPath(io)
    const { server = 'no server' } = loginOf(await readConfig(file), args.name)
    await confirm(`Delete the saved login at ${clean(server)}?`)
    await withFileLock(file, async () => {
      const config = await readConfig(file)
      const { name } = args
      await endSession(loginOf(config, name), { flags, io, print })
      const { context, contexts: { [name]: _, ...contexts } = {}, ...rest } = config
      const used = context === undefined || context === name ? {} : { context }
      await writeConfig(file, { ...rest, ...used, contexts })
    })
    if (print.format === 'table') print.line(`Deleted ${args.name}`)
  },
})
