import { command } from '../../command.ts'
import { configPath, readConfig } from '../../session/config.ts'
import { contextName, contextNames, loginOf } from '../../session/context.ts'

export default command({
  list: true,
  details: `
A context is a saved login at one service. \`cli login <url> --context <name>\` makes one. Commands use the one that is
marked, or the one that --context or CLI_CONTEXT names.`,
  examples: ['cli context list'],
  async run({ flags, io, print }) {
    const config = await readConfig(configPath(io))
    const current = contextName(config, flags, io)
    const rows = contextNames(config).map((name) => {
      const { server = null, token } = loginOf(config, name)
      return { name, server, current: name === current, logged_in: token !== undefined }
    })
    print.data(rows, (shown) =>
      print.table(shown, [
        { head: 'CURRENT', text: (row) => (row.current ? '*' : ' ') },
        { head: 'NAME', text: (row) => row.name },
        { head: 'SERVER', text: (row) => row.server },
        { head: 'LOGGED IN', text: (row) => (row.logged_in ? 'yes' : 'no') },
      ]),
    )
  },
})
