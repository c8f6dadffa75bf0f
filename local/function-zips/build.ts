import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { build as esbuild, type Metafile, type Plugin } from 'esbuild'
import { present } from '../../adapters/testing/present.ts'
import { bundles, pages } from '../../packaging/build/build.mjs'
import { prefix } from '../../serverless.ts'
import { filesBelow } from './files-below.ts'
import { type GroupModules, modulesByGroup } from './modules.ts'
import { type ZipFile, zip } from './zip.ts'

const root = new URL('../../', import.meta.url)
const from = (path: string) => new URL(path, root).pathname

/** The group whose routes need no store. */
const withoutStore = 'docs'
/** The one page that the hosts load. The others are the description of the API. */
const agentPage = 'agent.mjs'
/** Packages with a program for the processor, which cannot be bundled. */
const native = ['@node-rs/argon2', '@node-rs/argon2-linux-x64-gnu']
const composeWorker = 'compose-worker'

/** An archive with the function of a group. */
export interface FunctionZip {
  group: string
  content: Buffer
}

/** Bundles the functions, one archive per group, each with only the endpoints of its group. */
export async function buildFunctions(): Promise<FunctionZip[]> {
  const groups = modulesByGroup(from('serverless.ts'))
  const [programs, agent] = bundles.map(({ sourcemap: _, ...options }) => options)
  const { outputFiles = [], metafile } = await esbuild({
    ...programs,
    entryPoints: Object.fromEntries([
      ...[...groups.keys()].map((name) => [name, `group:${name}`]),
      [composeWorker, 'adapters/node/compose-worker/worker.ts'],
    ]),
    plugins: [entries(groups), ...(programs?.plugins ?? [])],
    write: false,
    metafile: true,
  })
  const agentProgram = await esbuild({ ...agent, write: false })
  const outputs = new Map(
    outputFiles.map(({ path, contents }) => [path.slice(from('dist/').length), contents]),
  )
  const common = await filesInEvery()
  const served = await pageFiles(present(agentProgram.outputFiles?.[0]).contents)
  return [...groups.keys()].map((group) => {
    const closure = chunksOf(metafile as Metafile, [
      group,
      ...(group === withoutStore ? [] : [composeWorker]),
    ])
    const files = closure.map((name) => ({
      path: name === `${group}.js` ? 'main.js' : name,
      content: present(outputs.get(name)),
    }))
    const content = zip([
      { path: 'package.json', content: Buffer.from('{"type":"module"}\n') },
      ...files,
      ...(group === withoutStore ? [] : common),
      ...served.filter(({ path }) => groupOfPage(path) === group),
    ])
    return { group, content }
  })
}

/** Returns the modules of a group as one that exports its handler. */
const entries = (groups: Map<string, GroupModules>): Plugin => ({
  name: 'groups',
  setup(build) {
    build.onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }))
    build.onLoad({ filter: /.*/, namespace: 'group' }, ({ path }) => {
      const group = path.slice('group:'.length)
      return {
        contents: entryOf(group, present(groups.get(group))),
        resolveDir: root.pathname,
        loader: 'ts',
      }
    })
  },
})

function entryOf(group: string, modules: GroupModules): string {
  const kind = group === withoutStore ? 'pages' : 'store'
  const lines = [...modules].map(
    ([route, module]) => `  '${route}': () => import(${JSON.stringify(module)}),`,
  )
  return [
    `import { ${kind}Function } from './adapters/lambda/${kind}-function.ts'`,
    `const routes = {\n${lines.join('\n')}\n}`,
    `export const handler = await ${kind}Function(routes, ${JSON.stringify(prefix)})`,
  ].join('\n')
}

/** Returns the names of the bundles and of everything that they load, now or later. */
function chunksOf({ outputs }: Metafile, names: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    for (const { path: next, external } of outputs[path]?.imports ?? []) if (!external) add(next)
  }
  for (const name of names) add(`dist/${name}.js`)
  return [...found].map((path) => path.slice('dist/'.length))
}

const groupOfPage = (path: string) => (path.endsWith(`/${agentPage}`) ? 'agents' : 'docs')

/** @throws if npm has not installed the programs for the processor of the functions */
async function filesInEvery(): Promise<ZipFile[]> {
  const missing = native.find((name) => !existsSync(from(`node_modules/${name}`)))
  if (missing) throw new Error(`${missing} is missing: build the functions on Linux on x86-64`)
  const packages = native.map((name) => filesBelow(from('node_modules/'), name, 'node_modules/'))
  return (await Promise.all(packages)).flat()
}

async function pageFiles(agent: Uint8Array): Promise<ZipFile[]> {
  return Promise.all(
    Object.entries(pages).map(async ([name, source]) => ({
      path: `pages/${name}`,
      content: name === agentPage ? agent : await readFile(from(source)),
    })),
  )
}
