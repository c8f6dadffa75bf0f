import { SyntaxKind } from 'typescript/unstable/ast'
import type { Checker } from 'typescript/unstable/sync'
import { deploymentKinds } from '../../functions/core/records/deployment-kinds.ts'
import { type Any, eachNode, type File } from './program.ts'

const equality = [SyntaxKind.EqualsEqualsEqualsToken, SyntaxKind.ExclamationEqualsEqualsToken]

/** Where the code depends on the kind of a deployment, each as `path:line: text`. */
export interface KindUses {
  /** By `===`, `!==`, `switch`, or membership in a list or set. */
  comparisons: string[]
  /** The kind as the key of a table. */
  lookups: string[]
}

/** Returns where files depend on the kind of a deployment, by the compiler's types. */
export function kindUses(files: File[], checker: Checker): KindUses {
  const uses: KindUses = { comparisons: [], lookups: [] }
  for (const { path, source } of files) {
    eachNode(source, (node) => {
      const isLookup = node.kind === SyntaxKind.ElementAccessExpression
      const values = isLookup ? [node.argumentExpression as Any] : comparedValues(node)
      if (!values.some((one) => isKind(one, checker))) return
      const line = (source.text as string).slice(0, node.getStart(source as never)).split('\n')
      const text = node.getText(source as never).split('\n')[0]
      uses[isLookup ? 'lookups' : 'comparisons'].push(`${path}:${line.length}: ${text}`)
    })
  }
  return uses
}

function comparedValues(node: Any): Any[] {
  if (node.kind === SyntaxKind.BinaryExpression) {
    const sides: Any[] = [node.left, node.right]
    const isWithText = sides.some(({ kind }) => kind === SyntaxKind.StringLiteral)
    return equality.includes(node.operatorToken.kind) && isWithText ? sides : []
  }
  if (node.kind === SyntaxKind.SwitchStatement) return [node.expression]
  if (node.kind !== SyntaxKind.CallExpression) return []
  const method = node.expression.name?.text
  return method === 'includes' || method === 'has' ? [...node.arguments] : []
}

/** Reads the declared type: inside a branch the compiler narrows it. */
function isKind(value: Any, checker: Checker): boolean {
  if (value.kind !== SyntaxKind.Identifier && value.kind !== SyntaxKind.PropertyAccessExpression)
    return false
  const symbol = checker.getSymbolAtLocation(value)
  const type = symbol && checker.getTypeOfSymbol(symbol)
  const members = type ? checker.typeToString(type).split(' | ') : []
  return deploymentKinds.every((kind) => members.includes(`"${kind}"`))
}
