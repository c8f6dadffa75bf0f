import type { Container } from '../../data/containers.ts'

type Port = Container['ports'][number]

/** Returns the ports on the host, each once: the Engine lists IPv4 and IPv6 apart. */
export const publishedPorts = (ports: readonly Port[]): string[] => [
  ...new Set(
    ports.flatMap(({ private: inside, public: outside, protocol }) => {
      if (outside === null) return []
      const more = protocol === 'tcp' ? '' : `/${protocol}`
      return [outside === inside ? `${outside}${more}` : `${outside}→${inside}${more}`]
    }),
  ),
]
