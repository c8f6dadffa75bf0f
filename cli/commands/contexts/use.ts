import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { configPath, readConfig, writeConfig } from '../../session/config.ts'
import { contextName, loginOf } from '../../session/context.ts'
import { withFileLock } from '../../session/lock.ts'

export default command({
  args: '<name>',
  details: `
Later commands use the saved login of this context. \`default\` is the one of a login without --context.`,
  examples: ['cli context use nas', 'cli context use default'],
  async run({ args, io, print }) {
    const file = configPath(io)
    await withFileLock(file, async () => {
      const config = await readConfig(file)
      const context = contextName(config, { context: args.name }, io)
      const { server = 'no server yet' } = loginOf(config, context)
      await writeConfig(file, { ...config, context })
      if (print.format === 'table') print.line(`Using ${context}: ${clean(server)}`)
    })
    if (io.env.CLI_CONTEXT) print.note('warning: CLI_CONTEXT is set and comes first')
  },
})
