// The UI's types tell an id of a host from its name: comparing the two does not compile.
import ts from 'typescript'

/** Schemas whose `host` is always an id. In requests it may be a name, too. */
const placed = 'AdoptedStack|BackupJob|BackupRun|Deployment|Stack|StackDetails'

/** The types of `web/host-ids.ts`, and which paths of the description have them. */
const brands = {
  HostId: [
    /\/host_id$/,
    /^#\/components\/schemas\/Host\/id$/,
    new RegExp(`^#/components/schemas/(${placed})/host$`),
    /^#\/components\/schemas\/AuditRow\/hosts$/,
    /^#\/paths\/~1hosts~1\{id\}.*\/parameters\/path\/id$/,
  ],
  HostName: [/\/host_name$/, /^#\/components\/schemas\/Host\/name$/],
}

/** The import that the branded types need, as the first line of their module. */
export const brandImport = "import type { HostId, HostName } from '../host-ids.ts'\n"

/**
 * Replaces `string` in the type of a schema that is an id or a name of a host.
 *
 * @param {ts.TypeNode} type
 * @param {{ path?: string | undefined }} options
 */
export function brandHosts(type, { path = '' }) {
  for (const [brand, paths] of Object.entries(brands)) {
    if (paths.some((one) => one.test(path))) return replaceString(type, brand)
  }
  return undefined
}

/**
 * @param {ts.TypeNode} type
 * @param {string} brand
 */
function replaceString(type, brand) {
  /** @param {ts.Node} node */
  const visit = (node) =>
    node.kind === ts.SyntaxKind.StringKeyword
      ? ts.factory.createTypeReferenceNode(brand)
      : ts.visitEachChild(node, visit, undefined)
  return /** @type {ts.TypeNode} */ (visit(type))
}
