import { command } from '../../command.ts'
import { showList } from '../../lists.ts'
import type { Container } from '../../records.ts'
import { shortId } from '../../units.ts'

export default command({
  flags: { '-a, --all': 'Include containers that are not running' },
  run: (call) =>
    showList<Container>(
      call,
      '/containers',
      [
        { head: 'CONTAINER', text: (one) => shortId(one.id) },
        { head: 'NAME', text: (one) => one.name },
        { head: 'IMAGE', text: (one) => one.image },
        { head: 'STATUS', text: (one) => one.status },
        { head: 'PORTS', text: portsOf },
      ],
      { all: call.flags.all ? 'true' : undefined },
    ),
})

/**
 * Returns ports such as `8081->80/tcp`. An address that is open on all interfaces is shown once.
 */
function portsOf({ ports }: Container): string {
  const texts = ports.map((port) => {
    const inside = `${port.private}/${port.protocol}`
    if (port.public === null) return inside
    const everywhere = port.ip === null || ['0.0.0.0', '::'].includes(port.ip)
    return `${everywhere ? '' : `${port.ip}:`}${port.public}->${inside}`
  })
  return [...new Set(texts)].join(', ')
}
