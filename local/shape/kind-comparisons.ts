import { SyntaxKind } from 'typescript/unstable/ast'
import type { Checker } from 'typescript/unstable/sync'
import { deploymentKinds } from '../../functions/core/records/deployment.ts'
import { type Any, eachNode, type File } from './program.ts'

const equality = [SyntaxKind.EqualsEqualsEqualsToken, SyntaxKind.ExclamationEqualsEqualsToken]

/**
 * Returns the comparisons with the kind of a deployment as `path:line: text`, by the compiler's
 * types: `===`, `!==`, `switch`, and membership in a list or set.
 */
export function kindComparisons(files: File[], checker: Checker): string[] {
  return files.flatMap(({ path, source }) => {
    const found: string[] = []
    eachNode(source, (node) => {
      if (!comparedValues(node).some((one) => isKind(one, checker))) return
      const line = (source.text as string).slice(0, node.getStart(source as never)).split('\n')
      found.push(`${path}:${line.length}: ${node.getText(source as never).split('\n')[0]}`)
    })
    return found
  })
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
