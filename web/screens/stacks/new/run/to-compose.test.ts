import { expect, test } from 'vitest'
import { splitCommand } from './split-command.ts'
import { toCompose } from './to-compose.ts'
import { writeYaml } from './write-yaml.ts'

test('reads a command as people paste it', () => {
  const command = `$ sudo docker run -dit --name=web \\
    -p 8080:80 -p8443:443 -e MODE="a b" -e 'PRICE=5$' \\
    -v data:/data -v "$(pwd)/conf:/etc/web:ro" \\
    --restart unless-stopped --memory 256m --cpus 1.5 --network proxy \\
    nginx:1.29 nginx -g 'daemon off;'`
  expect(toCompose(command)).toEqual({
    name: 'web',
    dropped: [],
    compose: `services:
  web:
    image: nginx:1.29
    stdin_open: true
    tty: true
    container_name: web
    ports:
      - "8080:80"
      - "8443:443"
    environment:
      - "MODE=a b"
      - PRICE=5$$
    volumes:
      - data:/data
      - ./conf:/etc/web:ro
    restart: unless-stopped
    mem_limit: 256m
    cpus: 1.5
    networks:
      - proxy
    command:
      - nginx
      - "-g"
      - "daemon off;"
volumes:
  data: {}
networks:
  proxy:
    external: true
`,
  })
})

test('flags with a form of their own', () => {
  const { compose } = toCompose(`docker container run --net host --ulimit nofile=10:20 \
    --mount type=bind,src=/a,dst=/b,readonly --entrypoint sh --log-driver local \
    --log-opt max-size=10m --health-cmd "curl -f localhost" --health-retries 3 \
    --stop-timeout 30 --gpus all ghost`)
  expect(compose).toBe(`services:
  ghost:
    image: ghost
    network_mode: host
    ulimits:
      nofile:
        soft: 10
        hard: 20
    volumes:
      - /a:/b:ro
    entrypoint:
      - sh
    logging:
      driver: local
      options:
        max-size: 10m
    healthcheck:
      test:
        - CMD-SHELL
        - "curl -f localhost"
      retries: 3
    stop_grace_period: 30s
    gpus: all
`)
})

test('reports flags that a compose file does not have, and unknown flags', () => {
  const { dropped, compose } = toCompose('docker run --rm -P --storage-opt size=1G redis')
  expect(dropped).toEqual(['--rm', '--publish-all', '--storage-opt size=1G'])
  expect(compose).toBe('services:\n  redis:\n    image: redis\n')
})

test('reports a flag that is called like an inherited property', () => {
  expect(toCompose('docker run --constructor x redis').dropped).toEqual(['--constructor x'])
})

test.each([
  ['docker ps', 'verb'],
  ['docker run -d', 'image'],
  ["docker run 'nginx", 'quote'],
])('refuses %j', (command, why) => {
  expect(() => toCompose(command)).toThrow(why)
})

test('quotes keep spaces and special characters in a word', () => {
  expect(splitCommand(`a "b 'c'" 'd "e"' f\\ g \\\r\n h""`)).toEqual([
    ...['a', "b 'c'", 'd "e"', 'f g', 'h'],
  ])
})

test.each([
  ['a shell', '\\\n'],
  ['a shell, with blanks after it', '\\ \t\n'],
  ['PowerShell', '`\r\n'],
  ['cmd', '^\r\n'],
])('joins lines as %s does', (_shell, join) => {
  const command = `docker run -d ${join}  --name web ${join} nginx:1.29`
  expect(toCompose(command)).toMatchObject({ name: 'web', dropped: [] })
  expect(toCompose(command).compose).toContain('image: nginx:1.29')
  expect(splitCommand(`a^b c\`d`)).toEqual(['a^b', 'c`d'])
})

test('texts that YAML would read as something else are quoted', () => {
  expect(writeYaml({ a: ['yes', '1.20', 'null', '22:22', 'x: y', '', 'plain', true, 3] })).toBe(
    'a:\n  - "yes"\n  - "1.20"\n  - "null"\n  - "22:22"\n  - "x: y"\n  - ""\n  - plain\n  - true\n  - 3\n',
  )
})
