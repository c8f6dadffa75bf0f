import type { Section } from './attribute.ts'

/** Attributes of a service's networking: how it is reached, and what it can reach. */
export const networking: Section = {
  title: 'The network of a service',
  at: 'services.*',
  groups: [
    {
      attributes: ['network_mode'],
      derived: 'The network of the host, of another container, or a network by its name',
      by: 'kernel',
      who: 'by value',
      values: '`none`, `bridge`, networks that the caller may use, `service:…` of this file',
      allowed: ['network_mode: none', 'network_mode: "service:db"'],
      refused: [
        'network_mode: host',
        'network_mode: "container:other"',
        'network_mode: "ns:/proc/1/ns/net"',
      ],
    },
    {
      attributes: [
        'networks',
        ...['aliases', 'ipv4_address', 'ipv6_address', 'mac_address'].map(
          (key) => `networks.*.${key}`,
        ),
        ...['priority', 'gw_priority', 'interface_name'].map((key) => `networks.*.${key}`),
        'mac_address',
      ],
      derived:
        'Names and addresses in its networks. In a network shared by stacks, such as a proxy’s, any of them can take a name that another expects, just by its service name',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'networks: [front]',
        'networks: {front: {aliases: [a], ipv4_address: 172.30.0.9, ipv6_address: "fd00::9", priority: 1, gw_priority: 1, interface_name: eth7}}',
        'networks: {front: {mac_address: "02:42:ac:11:00:02"}}',
        'mac_address: "02:42:ac:11:00:03"',
      ],
    },
    {
      attributes: ['networks.*.link_local_ips'],
      derived:
        'Additional addresses; with the gateway’s address it receives the traffic that others send through the gateway',
      by: 'kernel',
      who: 'by value',
      values: 'link-local addresses',
      allowed: ['networks: {front: {link_local_ips: [169.254.7.7, "fe80::7"]}}'],
      refused: [
        'networks: {front: {link_local_ips: [172.18.0.1]}}',
        'networks: {front: {link_local_ips: [x]}}',
      ],
    },
    {
      attributes: ['networks.*.driver_opts'],
      derived: 'Options of the network driver for this container, including kernel settings',
      by: 'Engine',
      who: 'privileged',
      refused: ['networks: {front: {driver_opts: {a: b}}}'],
    },
    {
      attributes: [
        'ports',
        'ports.*.target',
        'ports.*.published',
        'ports.*.host_ip',
        'ports.*.protocol',
      ],
      derived:
        'A port of the host, including ports below 1024. The Engine refuses a port in use, so the ports of this service and of running stacks are safe; those of a stopped stack are not',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'ports: ["80:80"]',
        'ports: [{target: 80, published: "8000-8010", host_ip: 127.0.0.1, protocol: udp}]',
      ],
    },
    {
      attributes: ['ports.*.mode', 'ports.*.name', 'ports.*.app_protocol'],
      derived: 'No effect on an Engine outside a swarm',
      by: 'nothing',
      who: 'no effect',
      allowed: ['ports: [{target: 80, mode: host, name: web, app_protocol: http}]'],
    },
    {
      attributes: ['expose'],
      derived:
        'Ports that the container declares; programs with access to the Engine’s socket read them',
      by: 'Engine',
      who: 'anyone',
      tests: ['functions/compose/measure/measure.test.ts › counts numbers of any size'],
      allowed: ['expose: ["80", "90-92/udp"]'],
    },
    {
      attributes: ['dns', 'dns_opt', 'dns_search', 'extra_hosts'],
      derived:
        'How names resolve in the container. The Engine’s resolver sends queries from the container’s network',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'dns: 1.1.1.1, dns_opt: [ndots:1], dns_search: example.com, extra_hosts: ["a:host-gateway"]',
      ],
    },
    {
      attributes: ['links'],
      derived: 'Additional names of services of this file',
      by: 'Engine',
      who: 'anyone',
      allowed: ['links: ["db:database"]'],
    },
    {
      attributes: ['external_links'],
      derived: 'Names of other containers; in the network `bridge` also their environment',
      by: 'Engine',
      who: 'by value',
      values: 'not with `network_mode: bridge`',
      allowed: ['external_links: ["other:db"]'],
      refused: ['network_mode: bridge, external_links: ["other:db"]'],
    },
  ],
}
