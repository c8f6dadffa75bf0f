import type { Container } from '../api/types.ts'

/**
 * Returns ports such as `8081->80/tcp`. An address that is open on all interfaces is shown once.
 */
export function portsText(ports: Container['ports']): string {
  const texts = ports.map((port) => {
    const inside = `${port.private}/${port.protocol}`
    if (port.public === null) return inside
    const everywhere = port.ip === null || ['0.0.0.0', '::'].includes(port.ip)
    return `${everywhere ? '' : `${port.ip}:`}${port.public}->${inside}`
  })
  return [...new Set(texts)].join(', ')
}
