import type { Section } from './attribute.ts'

/** Attributes of networks, volumes, secrets and configs. */
export const resources: Section = {
  title: 'Networks, volumes, secrets and configs',
  at: '',
  groups: [
    {
      attributes: ['networks.*.name', 'networks.*.external', 'networks.*.external.name'],
      derived: 'A network of the host, of another container, of another stack',
      by: 'Engine',
      who: 'by value',
      values:
        'networks of this stack, of no stack, of a stack that the caller may read and deploy, and those listed in a setting; no IDs',
      tests: ['functions/core/owners/judge.test.ts'],
      allowed: [
        'networks: {n: {name: proxy, external: true}}',
        'networks: {n: {external: {name: proxy}}}',
      ],
      refused: [
        'networks: {n: {name: host, external: true}}',
        `networks: {n: {name: "${'a'.repeat(64)}"}}`,
        'networks: {n: {external: {name: "container:other"}}}',
      ],
    },
    {
      attributes: ['networks.*.driver'],
      derived: 'Interfaces of the host, or a program on it',
      by: 'Engine',
      who: 'by value',
      values: '`bridge`, `overlay`, `none`',
      allowed: ['networks: {n: {driver: bridge}}'],
      refused: ['networks: {n: {driver: macvlan}}', 'networks: {n: {driver: weave}}'],
    },
    {
      attributes: ['networks.*.driver_opts'],
      derived: 'The name of the bridge on the host, its filter rules, its addresses',
      by: 'Engine',
      who: 'by value',
      values: 'MTU, traffic between containers, masquerading, the address of published ports',
      allowed: ['networks: {n: {driver_opts: {com.docker.network.driver.mtu: 1400}}}'],
      refused: [
        'networks: {n: {driver_opts: {com.docker.network.bridge.name: docker0}}}',
        'networks: {n: {driver_opts: {com.docker.network.bridge.gateway_mode_ipv4: routed}}}',
        'networks: {n: {driver_opts: {something.new: x}}}',
      ],
    },
    {
      attributes: ['networks.*.ipam.config.*.subnet'],
      derived:
        'A route of the host: its traffic to these addresses goes to the network. The subnet of the host’s LAN cuts the host off; a file does not reveal which one that is',
      by: 'kernel',
      who: 'by value',
      values: 'private ranges from /16 (IPv4) or /48 (IPv6)',
      allowed: [
        'networks: {n: {ipam: {config: [{subnet: 172.28.0.0/16}, {subnet: "fd00:1::/64"}]}}}',
      ],
      refused: [
        'networks: {n: {ipam: {config: [{subnet: 1.1.1.0/24}]}}}',
        'networks: {n: {ipam: {config: [{subnet: 0.0.0.0/1}]}}}',
        'networks: {n: {ipam: {config: [{subnet: 169.254.169.0/24}]}}}',
        'networks: {n: {ipam: {config: [{subnet: 100.64.0.0/16}]}}}',
        'networks: {n: {ipam: {config: [{subnet: 10.0.0.0/8}]}}}',
        'networks: {n: {ipam: {config: [{subnet: "2000::/3"}]}}}',
        'networks: {n: {ipam: {config: [{subnet: x}]}}}',
      ],
    },
    {
      attributes: ['gateway', 'ip_range', 'aux_addresses'].map(
        (key) => `networks.*.ipam.config.*.${key}`,
      ),
      derived: 'Addresses of the subnet; the Engine refuses others',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'networks: {n: {ipam: {config: [{subnet: 172.28.0.0/16, gateway: 172.28.0.1, ip_range: 172.28.5.0/24, aux_addresses: {a: 172.28.1.1}}]}}}',
      ],
    },
    {
      attributes: ['networks.*.ipam.driver', 'networks.*.ipam.options'],
      derived: 'A program on the host that assigns addresses',
      by: 'Engine',
      who: 'by value',
      values: 'the driver `default`, without options',
      allowed: ['networks: {n: {ipam: {driver: default, options: {}}}}'],
      refused: [
        'networks: {n: {ipam: {driver: dhcp}}}',
        'networks: {n: {ipam: {driver: default, options: {a: b}}}}',
      ],
    },
    {
      attributes: ['internal', 'attachable', 'enable_ipv4', 'enable_ipv6'].map(
        (key) => `networks.*.${key}`,
      ),
      derived: 'Less access, or additional addresses of the network itself',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'networks: {n: {internal: true, attachable: true, enable_ipv4: true, enable_ipv6: false}}',
      ],
    },
    {
      attributes: ['volumes.*.name', 'volumes.*.external', 'volumes.*.external.name'],
      derived: 'A volume by its name, including one of another stack; a name must not be a path',
      by: 'Engine',
      who: 'by value',
      values:
        'volumes of this stack, of a stack that the caller may read and deploy, and those listed in a setting',
      tests: ['functions/core/owners/judge.test.ts'],
      allowed: [
        'volumes: {v: {name: data, external: true}}',
        'volumes: {v: {external: {name: data}}}',
      ],
      refused: [
        'volumes: {v: {name: /etc, external: true}}',
        'volumes: {v: {external: {name: /etc}}}',
      ],
    },
    {
      attributes: ['volumes.*.driver', 'volumes.*.driver_opts'],
      derived:
        'A mount of the host as root: its directories, its disks, other machines; a program on it',
      by: 'Engine',
      who: 'by value',
      values: 'the driver `local`; without options, or in memory',
      allowed: [
        'volumes: {v: {driver: local, driver_opts: {type: tmpfs, device: tmpfs, o: size=9m}}}',
      ],
      refused: [
        'volumes: {v: {driver: local-persist}}',
        'volumes: {v: {driver: local-persist, driver_opts: {mountpoint: /etc}}}',
        'volumes: {v: {driver: local, driver_opts: {type: none, o: bind, device: /etc}}}',
        'volumes: {v: {driver_opts: {type: none, o: bind, device: ./data}}}',
        'volumes: {v: {driver_opts: {type: nfs, o: addr=nas, device: ":/x"}}}',
        'volumes: {v: {driver_opts: {type: cifs, o: addr=nas, device: "//nas/x"}}}',
        'volumes: {v: {driver_opts: {type: tmpfs, device: tmpfs, o: "size=9m,rbind"}}}',
        'volumes: {v: {driver_opts: {something: new}}}',
      ],
    },
    {
      attributes: ['networks', 'volumes', 'secrets', 'configs'].map((kind) => `${kind}.*.labels`),
      derived: 'Labels on the Engine; programs with access to its socket read them',
      by: 'Engine',
      who: 'anyone',
      allowed: [
        'networks: {n: {labels: {a: b}}}, volumes: {v: {labels: {a: b}}}, secrets: {s: {file: ./s, labels: {a: b}}}, configs: {c: {content: x, labels: {a: b}}}',
      ],
    },
    {
      attributes: ['secrets.*.file', 'configs.*.file'],
      derived: 'A file of the host in the container',
      by: 'Engine',
      who: 'by value',
      values: 'inside the directory of the stack',
      allowed: ['secrets: {s: {file: ./s}}, configs: {c: {file: ./c}}'],
      refused: ['secrets: {s: {file: /etc/shadow}}', 'configs: {c: {file: ../c}}'],
    },
    {
      attributes: [
        ...['secrets.*.environment', 'configs.*.environment', 'configs.*.content'],
        ...['secrets.*.name', 'configs.*.name'],
      ],
      derived: 'A variable of the stack, or text from the file, never a variable of this service',
      by: 'this service',
      who: 'anyone',
      allowed: [
        'secrets: {s: {name: a, environment: GIVEN}}, configs: {c: {name: a, environment: GIVEN}, d: {content: x}}',
      ],
    },
    {
      attributes: [
        ...['secrets', 'configs'].flatMap((kind) =>
          ['external', 'external.name', 'template_driver'].map((key) => `${kind}.*.${key}`),
        ),
        ...['secrets.*.driver', 'secrets.*.driver_opts'],
      ],
      derived: 'Objects and programs of a swarm',
      by: 'nothing',
      who: 'unsupported',
      refused: [
        'secrets: {s: {external: true}}',
        'configs: {c: {external: true}}',
        'secrets: {s: {external: {name: x}}}',
        'configs: {c: {external: {name: x}}}',
        'secrets: {s: {driver: x, driver_opts: {a: b}}}',
        'secrets: {s: {file: ./s, template_driver: golang}}',
        'configs: {c: {file: ./c, template_driver: golang}}',
      ],
    },
  ],
}
