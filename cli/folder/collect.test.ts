import { execFileSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { type FolderContent, temporaryFolder } from '../../local/harness/folder.ts'
import type { Io } from '../io.ts'
import { collect, type Widening } from './collect.ts'
import { type FileChoice, readComposeFiles } from './compose-files.ts'
import { loadFolder } from './load-project.ts'

interface Choice extends Partial<FileChoice>, Partial<Widening> {
  cwd?: string
}

async function folder(compose: string, content: FolderContent = {}) {
  const at = await temporaryFolder({ 'compose.yaml': compose, ...content })
  return Object.assign(at, {
    async collected({ cwd = '.', include = [], all = false, ...choice }: Choice = {}) {
      const io = { cwd: join(at.directory, cwd), stdin: Readable.from([]) } as unknown as Io
      const none = { file: undefined, directory: undefined, envFile: undefined }
      const chosen = { ...none, withoutEnv: false, overlay: [], ...choice }
      const files = await readComposeFiles(chosen, io)
      const found = await collect(files, loadFolder('shop', files), { include, all })
      return {
        found,
        files,
        sent: [...found.entries.keys()].sort(),
        leftOut: Object.fromEntries(
          [...found.leftOut.values()].map((one) => [one.path, one.reason]),
        ),
        outside: [...found.outside.keys()],
        missing: [...found.missing.keys()],
      }
    },
  })
}

const many = (count: number, content = 'x'): FolderContent =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`data/${at}`, content]))

test('sends the files that compose files refer to', async () => {
  await using at = await folder(
    `include: [parts/db.yaml]
services:
  web:
    extends: {file: base.yaml, service: base}
    image: nginx
    env_file: [web.env, {path: none.env, required: false}]
    label_file: web.labels
    secrets: [key]
    configs: [site]
    security_opt: ["seccomp:seccomp.json"]
    volumes: ["./nginx.conf:/etc/nginx/nginx.conf", "./acme.json:/acme.json:ro"]
secrets: {key: {file: ./keys/web.key}}
configs: {site: {file: site.conf}}
`,
    {
      'parts/db.yaml': 'services: {db: {image: postgres, env_file: db.env}}',
      'parts/db.env': 'A=1',
      'parts/.env': 'B=2',
      'base.yaml': 'services: {base: {image: nginx, env_file: base.env}}',
      'base.env': '',
      'web.env': '',
      'web.labels': 'a=b',
      'keys/web.key': 'k',
      'site.conf': '',
      'seccomp.json': '{}',
      'nginx.conf': '',
      'acme.json': '{}',
      'not-referred-to.txt': '',
    },
  )
  const { sent, leftOut, missing } = await at.collected()
  expect(sent).toEqual([
    ...['acme.json', 'base.env', 'base.yaml', 'keys/web.key', 'nginx.conf', 'parts/.env'],
    ...['parts/db.env', 'parts/db.yaml', 'seccomp.json', 'site.conf', 'web.env', 'web.labels'],
  ])
  expect(leftOut).toEqual({})
  expect(missing).toEqual([])
})

test('sends what overlays and disabled services refer to', async () => {
  await using at = await folder(
    'services: {web: {image: nginx}, tools: {image: busybox, profiles: [tools], env_file: tools.env}}',
    {
      'compose.prod.yaml': 'services: {web: {volumes: ["./prod.conf:/x:ro"]}}',
      'prod.conf': '',
      'tools.env': '',
    },
  )
  expect((await at.collected()).sent).toEqual(['prod.conf', 'tools.env'])
})

test('sends a build context as its ignore file says, and a bound file that it ignores', async () => {
  await using at = await folder(
    `services:
  api:
    build: ./api
    volumes: ["./api/local.conf:/etc/local.conf:ro"]
  worker: {build: {context: ./api, dockerfile: ../worker.Dockerfile}}
`,
    {
      'api/Dockerfile': 'FROM scratch',
      'api/main.js': '',
      'api/local.conf': '',
      'api/.dockerignore': 'Dockerfile\n.dockerignore\n*.conf\nnode_modules\n*.md\n!README.md\n',
      'api/node_modules/a/index.js': '',
      'api/README.md': '',
      'api/NOTES.md': '',
      'api/.git/config': 'x',
      'worker.Dockerfile': 'FROM scratch',
      'worker.Dockerfile.dockerignore': '*\n!main.js\n',
    },
  )
  const { sent, leftOut } = await at.collected()
  expect(sent).toEqual([
    ...['api/.dockerignore', 'api/Dockerfile', 'api/README.md', 'api/local.conf', 'api/main.js'],
    ...['worker.Dockerfile', 'worker.Dockerfile.dockerignore'],
  ])
  expect(leftOut).toEqual({ 'api/.git/': 'use --include .git to send it' })
})

test('a project built from its own directory sends its compose file and .env only once', async () => {
  await using at = await folder('services: {web: {build: .}}', {
    Dockerfile: 'FROM scratch',
    '.env': 'A=1',
    '.ENV': '',
    'compose.prod.yaml': 'services: {}',
    'compose.Old.yaml': '',
  })
  const { sent, leftOut } = await at.collected({ overlay: ['prod=compose.prod.yaml'] })
  expect(sent).toEqual(['Dockerfile'])
  expect(leftOut).toEqual({
    '.ENV': 'another file is sent under this name',
    'compose.Old.yaml': 'has the name of an overlay: use --overlay',
  })
  const other = await at.collected({ withoutEnv: true, overlay: ['prod=compose.prod.yaml'] })
  expect(other.sent).toEqual(['Dockerfile'])
})

test('sends read-only directories and small writable ones; larger ones are named', async () => {
  const compose = `services:
  web: {image: nginx, volumes: ["./www:/www:ro", "./www/uploads:/up", "./conf.d:/conf"]}
  db: {image: postgres, volumes: ["./data:/data", "./data/backup:/backup:ro"]}
`
  await using at = await folder(compose, {
    'www/index.html': '',
    'www/uploads/1': '',
    'conf.d/a.conf': '',
    ...many(101),
    'data/backup/x': '',
  })
  const { sent, leftOut } = await at.collected()
  expect(sent).toEqual(['conf.d/a.conf', 'www/index.html', 'www/uploads/1'])
  expect(leftOut).toEqual({
    'data/': 'db may write to it and it has more than 100 files; --include data sends it',
  })
  expect((await at.collected({ include: ['data'] })).sent).toHaveLength(3 + 101 + 1)
  const part = await at.collected({ include: ['data/1?'] })
  expect(part.sent.filter((path) => path.startsWith('data/'))).toHaveLength(10)
  await using large = await folder('services: {db: {image: x, volumes: ["./data:/data"]}}', {
    'data/1': 'x'.repeat(1024 * 1024 + 1),
  })
  expect((await large.collected()).leftOut['data/']).toContain('more than 1 MiB')
})

test('--all sends everything except .git', async () => {
  await using at = await folder('services: {web: {image: nginx}}', {
    'docs/a.md': '',
    '.git/config': '',
    '.hidden': '',
  })
  expect((await at.collected()).sent).toEqual([])
  expect((await at.collected({ all: true })).sent).toEqual(['.hidden', 'docs/a.md'])
  expect((await at.collected({ include: ['**/*.md'] })).sent).toEqual(['docs/a.md'])
  await expect(at.collected({ include: ['!x'] })).rejects.toMatchObject({ exitCode: 2 })
  await expect(at.collected({ include: ['[x'] })).rejects.toMatchObject({ exitCode: 2 })
})

test('keeps links inside the directory with their targets, and lists others', async () => {
  await using at = await folder(
    'services: {web: {image: x, volumes: ["./current/app.conf:/a:ro", "./www:/www:ro"]}}',
    {
      'releases/1/app.conf': 'a',
      current: { link: 'releases/1' },
      'www/index.html': '',
      'www/home.html': { link: 'index.html' },
      'www/passwd': { link: '/etc/passwd' },
      'www/out': { link: '../../out' },
      'www/self': { link: '.' },
      'www/twice': { link: 'home.html' },
      'www/nowhere': { link: 'gone' },
      'www/loop': { link: 'loop' },
    },
  )
  const { sent, leftOut } = await at.collected()
  expect(sent).toEqual([
    ...['current', 'releases/1/app.conf', 'www/home.html', 'www/index.html', 'www/nowhere'],
  ])
  expect(leftOut).toEqual({
    'www/loop': expect.stringContaining('contains the link'),
    'www/out': expect.stringContaining('outside'),
    'www/passwd': 'a link with the absolute target /etc/passwd',
    'www/self': expect.stringContaining('contains the link'),
    'www/twice': 'a link that leads through another link, www/home.html',
  })
})

test('lists what cannot be sent and never waits for it', async () => {
  await using at = await folder(
    'services: {web: {image: x, volumes: ["./www:/www:ro", "./one.sock:/s", "./pipe:/p"]}}',
    {
      'www/large': Buffer.alloc(16 * 1024 * 1024 + 1),
      'www/new\nline': '',
      'www/Ab': '',
      'www/aB': '',
    },
  )
  execFileSync('mkfifo', [join(at.directory, 'pipe'), join(at.directory, 'www/fifo')])
  await writeFile(Buffer.concat([Buffer.from(join(at.directory, 'www/')), Buffer.from([0xff])]), '')
  const server = createServer().listen(join(at.directory, 'one.sock'))
  await new Promise((resolve) => server.once('listening', resolve))
  const { sent, leftOut } = await at.collected()
  server.close()
  expect(sent).toEqual(['www/Ab'])
  expect(leftOut).toEqual({
    'one.sock': 'a socket',
    pipe: 'a FIFO',
    'www/fifo': 'a FIFO',
    'www/large': 'larger than 16 MiB',
    'www/new\nline': expect.stringContaining('not allowed'),
    'www/aB': 'differs from www/Ab only in case or accents',
    'www/\ufffd': 'its name is not UTF-8',
  })
})

test('lists files and directories without permission', async () => {
  await using at = await folder('services: {web: {image: x, volumes: ["./www:/www:ro"]}}', {
    'www/a': '',
    'www/closed/b': '',
    'www/secret': { content: '', mode: 0 },
  })
  await chmod(join(at.directory, 'www/closed'), 0)
  const { sent, leftOut } = await at.collected()
  await chmod(join(at.directory, 'www/closed'), 0o755)
  // The superuser may read everything.
  if (process.getuid?.() === 0) return expect(sent).toContain('www/a')
  expect(sent).toEqual(['www/a'])
  expect(leftOut).toEqual({
    'www/closed/': 'a directory that cannot be read',
    'www/secret': 'cannot be read',
  })
})

test('keeps the permission bits', async () => {
  await using at = await folder('services: {web: {image: x, volumes: ["./bin:/bin:ro"]}}', {
    'bin/run.sh': { content: '#!/bin/sh', mode: 0o4755 },
    'bin/key': { content: 'k', mode: 0o600 },
  })
  const { found } = await at.collected()
  expect(found.entries.get('bin/run.sh')).toMatchObject({ mode: 0o755 })
  expect(found.entries.get('bin/key')).toMatchObject({ mode: 0o600 })
})

test('names what lies outside and what is missing', async () => {
  await using at = await folder(
    `services:
  web:
    image: x
    volumes: ["/etc/localtime:/etc/localtime:ro", "../other:/other", "./none:/none"]
    secrets: [key]
secrets: {key: {file: ./none.key}}
`,
  )
  const { outside, found } = await at.collected()
  expect(outside).toEqual(['/etc/localtime', join(at.directory, '../other')])
  expect([...found.missing.values()]).toEqual([
    { path: 'none.key', reason: 'the deploy fails unless the host has it (secret key)' },
    { path: 'none', reason: 'the deploy creates an empty directory unless the host has it (web)' },
  ])
})

test('--directory sends a project whose compose file lies in a subdirectory', async () => {
  await using at = await folder('services: {other: {image: x}}', {
    'deploy/compose.yaml':
      'name: shop\nservices: {api: {build: ../api, env_file: .env, volumes: ["./a.conf:/a"]}}',
    'deploy/compose.prod.yaml': 'services: {}',
    'deploy/a.conf': '',
    'deploy/.env': 'A=1',
    'api/Dockerfile': 'FROM scratch',
  })
  const near = await at.collected({ cwd: 'deploy' })
  expect(near.sent).toEqual(['a.conf'])
  expect(near.outside).toEqual([join(at.directory, 'api')])
  const { sent, files, leftOut } = await at.collected({ cwd: 'deploy', directory: '..' })
  expect(files.main.text).toContain('include:\n  - "deploy/compose.yaml"\n')
  expect(files.env).toBe('A=1')
  expect(sent).toEqual(['api/Dockerfile', 'deploy/.env', 'deploy/a.conf', 'deploy/compose.yaml'])
  expect(Object.keys(leftOut)).toEqual(['deploy/compose.prod.yaml'])
  const wrong = at.collected({ directory: 'api', file: 'compose.yaml' })
  await expect(wrong).rejects.toMatchObject({ exitCode: 2 })
})

test('1: says with line and column why a project does not load', async () => {
  await using at = await folder('services:\n  web: {image: x, env_file: a.env}\n')
  const missing = at.collected()
  await expect(missing).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringMatching(/^compose\.yaml:2:\d+: .*the stack has no file a\.env$/),
  })
  execFileSync('mkfifo', [join(at.directory, 'a.env')])
  await expect(at.collected()).rejects.toMatchObject({ hint: 'a.env is a FIFO' })
})

test('does not look into an ignored directory; too many files are refused', async () => {
  await using at = await folder('services: {web: {build: .}}', {
    Dockerfile: 'FROM scratch',
    '.dockerignore': 'node_modules',
  })
  for (let directory = 0; directory < 7; directory += 1) {
    const path = join(at.directory, `node_modules/p${directory}`)
    await mkdir(path, { recursive: true })
    execFileSync('sh', ['-c', 'seq 3000 | xargs touch'], { cwd: path })
  }
  // It would be listed if the walk had entered the directory.
  execFileSync('mkfifo', [join(at.directory, 'node_modules/fifo')])
  const { sent, leftOut } = await at.collected()
  expect(sent).toEqual(['.dockerignore', 'Dockerfile'])
  expect(leftOut).toEqual({})
  await writeFile(join(at.directory, '.dockerignore'), '')
  await expect(at.collected()).rejects.toMatchObject({
    message: expect.stringMatching(/more than 20,000 files: 3000 in node_modules\/p/),
    hint: expect.stringContaining('.dockerignore'),
  })
})
