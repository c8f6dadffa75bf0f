import type { components } from '../../data/api.types.ts'

export type ServiceStatus = components['schemas']['ServiceStatus']

/** Returns the name of a row in the address: its service, or its container if there are more. */
export const rowKeyOf = ({ service, number, name }: ServiceStatus): string =>
  number === null || number === 1 ? service : (name ?? service)

/** Returns the published ports, each once: IPv4 and IPv6 are published separately. */
export const portsOf = ({ ports }: Pick<ServiceStatus, 'ports'>): string[] => [
  ...new Set(
    ports.flatMap(({ public: port, private: inside, protocol }) => {
      if (port === null) return []
      const more = protocol === 'tcp' ? '' : `/${protocol}`
      return [port === inside ? `${port}${more}` : `${port}→${inside}${more}`]
    }),
  ),
]
