import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../', import.meta.url))

const Component = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  scope: z.string().optional(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
})
type Component = z.infer<typeof Component>

const Dependency = z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })

const Bom = z.looseObject({
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(Dependency),
})

/** What a release contains beyond the dependencies of package.json. */
export interface Shipped {
  /** The development packages that are part of the browser UI. */
  bundled: ReadonlySet<string>
  /** The versions of Node.js in the executables. */
  nodeVersions: readonly string[]
}

/**
 * Returns the list of the packages that a release contains, in the format CycloneDX. It depends
 * only on package-lock.json, on what is given, and on `time`, in seconds.
 */
export function billOfMaterials({ bundled, nodeVersions }: Shipped, time: number): string {
  const bom = Bom.parse(JSON.parse(npmBom()))
  const isShipped = ({ name, properties = [] }: Component) =>
    bundled.has(name) || !properties.some((one) => one.name === 'cdx:npm:package:development')
  const components = [...bom.components.filter(isShipped), ...nodeVersions.map(nodeComponent)]
  const refs = new Set(components.map((one) => one['bom-ref']))
  const { component } = bom.metadata
  const own = { ...component, name: component['bom-ref'].replace(/@[^@]*$/, '') }
  const contents = {
    ...bom,
    metadata: {
      ...bom.metadata,
      timestamp: new Date(time * 1000).toISOString(),
      component: { ...own, type: 'application' },
    },
    components: components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref) || ref === own['bom-ref'])
      .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) })),
  }
  const { serialNumber: _random, ...lasting } = contents as typeof contents & {
    serialNumber: string
  }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(lasting))}`
  return `${JSON.stringify({ ...lasting, serialNumber }, null, 2)}\n`
}

const npmBom = () =>
  execFileSync(
    'npm',
    ['sbom', '--package-lock-only', '--workspaces=false', '--sbom-format', 'cyclonedx'],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 },
  )

const nodeComponent = (version: string): Component => ({
  'bom-ref': `node@${version}`,
  type: 'platform',
  name: 'node',
  version,
  scope: 'optional',
  description: 'Node.js, in the executables',
  purl: `pkg:generic/node@${version}`,
  licenses: [{ license: { id: 'MIT' } }],
})

/** Returns a UUID (version 8) that is made of the digest of a text. */
function uuidOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  const words = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`]
  return [...words, `a${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-')
}
