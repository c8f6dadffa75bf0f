/**
 * A project as docker compose sees it: its files, and the services that its `up` recreates because
 * their config hash has two forms.
 */
export interface Shape {
  files: Record<string, string>
  twoForms?: string[]
}

const one = 'image: "busybox:latest", command: sleep 3600, init: true, stop_grace_period: 0s'
const job = 'image: "busybox:latest", command: "true"'

/**
 * Shape → project. docker compose 2.26 hashes dependencies, profiles, modes and plain binds in
 * another form.
 */
export const shapes: Record<string, Shape> = {
  profiles: {
    files: {
      'compose.yaml': `services:
  always: {${one}}
  extra: {${one}, profiles: [extra]}
  never: {${one}, profiles: [other]}
`,
      '.env': 'COMPOSE_PROFILES=extra\n',
    },
    twoForms: ['extra'],
  },
  scale: {
    files: {
      'compose.yaml': `services:
  two: {${one}, scale: 2}
  three: {${one}, deploy: {replicas: 3, resources: {limits: {memory: 64m}}}}
  none: {${one}, scale: 0}
`,
    },
  },
  conditions: {
    files: {
      'compose.yaml': `services:
  db: {${one}, healthcheck: {test: [CMD, "true"], interval: 1s}}
  migrate: {${job}, depends_on: {db: {condition: service_healthy}}}
  app: {${one}, depends_on: {migrate: {condition: service_completed_successfully}, db: {condition: service_started, restart: true}}}
  alone: {${job}}
`,
    },
    twoForms: ['app', 'migrate'],
  },
  files: {
    files: {
      'compose.yaml': `services:
  app:
    ${one.replaceAll(', ', '\n    ')}
    configs: [plain, {source: inline, target: /etc/inline}, {source: variable, target: /etc/variable, mode: 0440}]
    secrets: [key, {source: word, target: /run/word, uid: "7"}]
configs:
  plain: {file: ./plain.conf}
  inline: {content: "of \${WHO}"}
  variable: {environment: WHO}
secrets:
  key: {file: ./key.txt}
  word: {environment: WORD}
`,
      '.env': 'WHO=ada\nWORD=secret\n',
      'plain.conf': 'plain\n',
      'key.txt': 'key\n',
    },
    twoForms: ['app'],
  },
  variables: {
    files: {
      'compose.yaml': `services:
  app:
    ${one.replaceAll(', ', '\n    ')}
    env_file: [first.env, {path: deep/second.env, required: false}, {path: none.env, required: false}]
    environment: {OWN: "\${OWN:-here}", EMPTY: "", UNSET: null}
    labels: ["a=b", "c.d=<&>"]
`,
      'first.env': 'ONE=1\nTWO="quoted # text"\n',
      'deep/second.env': 'THREE=${ONE}3\n',
    },
  },
  overlays: {
    files: {
      'docker-compose.yml': `include: [more/compose.yaml]
services:
  app: {extends: {file: base.yml, service: base}, environment: {OWN: "1"}}
`,
      'docker-compose.override.yml':
        'services: {app: {labels: {over: ridden}, ports: !override ["127.0.0.1::81"]}}\n',
      'base.yml': `services: {base: {${one}, ports: ["127.0.0.1::80"], tmpfs: /run}}\n`,
      'more/compose.yaml': `services: {more: {${one}, env_file: more.env}}\n`,
      'more/more.env': 'MORE=1\n',
    },
  },
  names: {
    files: {
      'compose.yaml': `services:
  app: {${one}, container_name: "\${COMPOSE_PROJECT_NAME}-own", networks: {front: {aliases: [site]}, default: {}}, volumes: ["data:/data", "/anonymous"]}
networks:
  front: {name: "\${COMPOSE_PROJECT_NAME}-front", labels: {a: b}}
volumes:
  data: {name: "\${COMPOSE_PROJECT_NAME}-data", driver_opts: {type: tmpfs, device: tmpfs}}
`,
    },
  },
  namespaces: {
    files: {
      'compose.yaml': `services:
  first: {${one}, ipc: shareable, volumes: ["data:/data"]}
  second: {${one}, network_mode: "service:first", ipc: "service:first", pid: "service:first"}
  third: {${one}, volumes_from: [first], links: ["first:other"]}
volumes: {data: {}}
`,
    },
    twoForms: ['second', 'third'],
  },
  binds: {
    files: {
      'compose.yaml': `services:
  short: {${one}, volumes: ["./a:/a", "./b:/b:ro"]}
  long: {${one}, volumes: [{type: bind, source: ./c, target: /c, bind: {propagation: rprivate}}, {type: tmpfs, target: /t}]}
  mixed: {${one}, volumes: ["./a:/a:z", {type: bind, source: ./b, target: /b, bind: {propagation: rprivate}}]}
`,
      'a/file': 'a\n',
      'b/file': 'b\n',
      'c/file': 'c\n',
    },
    twoForms: ['short', 'mixed'],
  },
  build: {
    files: {
      'compose.yaml': `services:
  app: {build: {context: ., args: {SAYS: hello}}, init: true, stop_grace_period: 0s}
  named: {build: ./deep, image: "\${COMPOSE_PROJECT_NAME}-named:1", init: true, stop_grace_period: 0s}
`,
      Dockerfile: 'FROM busybox:latest\nARG SAYS\nENV SAYS=$SAYS\nCMD ["sleep", "3600"]\n',
      'deep/Dockerfile': 'FROM busybox:latest\nCMD ["sleep", "3600"]\n',
    },
  },
}
