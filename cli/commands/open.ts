import { command } from '../command.ts'
import { openBrowser } from '../session/open-browser.ts'

export default command({
  args: '[stack]',
  details: `
Opens the browser UI, at a stack if you name one, and prints its address. Without a browser, as over SSH, it only prints
the address. The browser asks for a login of its own.`,
  examples: ['cli open', 'cli open shop'],
  async run({ args: { stack }, client, print, io }) {
    const service = await client()
    const path = stack === undefined ? '/' : `/stacks/${encodeURIComponent(stack)}`
    if (stack !== undefined) await service.get('/stacks/{name}', { path: { name: stack } })
    const url = `${service.server}${path}`
    print.data({ url }, () => print.line(url))
    openBrowser(url, io)
  },
})
