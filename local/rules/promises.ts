import { resolve } from 'node:path'
import { type Node, SyntaxKind } from 'typescript/unstable/ast'
import { API, type Checker } from 'typescript/unstable/sync'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { isTest } from './source.ts'

/** A place where a promise may reject without a handler. */
export interface UnhandledPromise {
  /** `path:line`, from the top of the project. */
  place: string
  why: string
}

type Any = Node & Record<string, Json>
type Find = (node: Any, found: (node: Any, why: string) => void, rules: Rules) => void

interface Rules {
  checker: Checker
  /**
   * Returns whether calls of this function never reject. `callee` is the text before the
   * parentheses.
   */
  isAllowed(callee: string): boolean
}

/** The project to check and its functions that never reject. */
interface Project {
  /** The directory of the tsconfig.json. */
  root: string
  /** Entries like those of `neverReject`. */
  allowed: Record<string, string>
}

const top = resolve(import.meta.dirname, '../..')

/**
 * Functions whose promise never rejects → the reason. A key is the file and the text of the call,
 * or the text alone for a port that is called in many files.
 */
const neverReject: Record<string, string> = {
  'functions/core/streams/broadcast.ts follower.return': 'leaves a list in memory',
  'functions/core/streams/broadcast.ts this.return': 'leaves a list in memory',
  'clock.sleep': 'an abort ends it early and does not reject it',
  'functions/kit/recorder.ts refuse': 'what it reads may fail, and then counts as unknown',
  'functions/core/feeds/shared-streams.ts run': 'ends its followers with the error of a source',
  'functions/core/events/hosts.ts follow': 'logs what following a host throws',
  'functions/core/audit/ledger.ts writeAll': 'passes errors to the callers that wait for a row',
  'adapters/node/http/listen.ts serveOne': 'responds with the error of a handler',
  'adapters/node/http/listen.ts serveUpgrade': 'responds with the error of a feed that opens',
  'adapters/sidecar/feeds/connection.ts this.#send': 'ends the connection with the error of a feed',
  'adapters/agent/serve.ts sendGauges': 'answers what reading them throws',
  'adapters/agent/serve.ts answer': 'answers what it catches',
  'adapters/docker/streams/events.ts keepFollowing': 'begins again after what it catches',
  'adapters/sidecar/agents/hub.ts connection.ended': 'resolves when the connection closes',
  'adapters/sidecar/agents/hub.ts renew': 'logs what it catches and tries again later',
}

/**
 * Returns every place where a promise is stored, received or dropped and may reject before it has a
 * handler, and every allowed function that is not needed. Uses the type checker, because a call
 * does not show whether it returns a promise.
 */
export function unhandledPromises(
  isChecked: (path: string) => boolean,
  { root, allowed }: Project = { root: top, allowed: neverReject },
): UnhandledPromise[] {
  const needed = new Set<string>()
  const api = new API({ cwd: root })
  try {
    const { program, checker } = present(
      api.updateSnapshot({ openProject: resolve(root, 'tsconfig.json') }).getProjects()[0],
    )
    const files = program
      .getSourceFileNames()
      .filter((name) => name.startsWith(`${root}/`))
      .map((name) => name.slice(root.length + 1))
      .filter((path) => isChecked(path) && !isTest(path) && !path.startsWith('node_modules/'))
    const unheard = files.flatMap((path) => {
      const isAllowed = (callee: string) => {
        const key = [callee, `${path} ${callee}`].find((one) => Object.hasOwn(allowed, one))
        if (key) needed.add(key)
        return key !== undefined
      }
      return unheardIn(program.getSourceFile(resolve(root, path)), path, { checker, isAllowed })
    })
    const stale = Object.keys(allowed).filter((key) => !needed.has(key))
    return [...unheard, ...stale.map((place) => ({ place, why: 'no place needs this entry' }))]
  } finally {
    api.close()
  }
}

function unheardIn(source: Node | undefined, path: string, rules: Rules): UnhandledPromise[] {
  const all: UnhandledPromise[] = []
  const found = (node: Any, why: string) => {
    const text: string = (source as Any).text
    const line = text.slice(0, node.getStart(source as Json)).split('\n').length
    all.push({ place: `${path}:${line}`, why })
  }
  const visit = (node: Node) => {
    for (const find of [keptPromise, receivedPromise, droppedPromise, callbackPromise]) {
      find(node as Any, found, rules)
    }
    node.forEachChild(visit)
  }
  if (source) visit(source)
  return all
}

/**
 * `const loading = load()`: the next statement must handle it, or it must be marked with
 * `markHandled(…)`.
 */
const keptPromise: Find = (node, found, { checker }) => {
  const value = keptValue(node)
  if (!value || !elementsOf(value).some((one) => !isHeard(one) && isPromise(one, checker))) return
  const name: string | undefined = (node.name ?? node.left).text
  if (name && isHeardNext(statementOf(node), name)) return
  found(node, `${name ?? 'a promise'} is kept before anything listens to it: markHandled(…)`)
}

function keptValue(node: Any): Any | undefined {
  if (node.kind === SyntaxKind.VariableDeclaration) return node.initializer
  if (node.kind !== SyntaxKind.BinaryExpression) return undefined
  const assigns = [
    SyntaxKind.EqualsToken,
    SyntaxKind.QuestionQuestionEqualsToken,
    SyntaxKind.BarBarEqualsToken,
  ]
  return assigns.includes(node.operatorToken.kind) ? node.right : undefined
}

/** Returns the elements of a list, else the expression itself. */
function elementsOf(value: Any): readonly Any[] {
  if (value.kind === SyntaxKind.AsExpression) return elementsOf(value.expression)
  return value.kind === SyntaxKind.ArrayLiteralExpression ? value.elements : [value]
}

/** A parameter that is a promise: the first statement must handle it. */
const receivedPromise: Find = (node, found, { checker }) => {
  for (const parameter of (node.body ? node.parameters : undefined) ?? []) {
    const name: string | undefined = parameter.name.text
    if (!name || !isPromise(parameter.name, checker)) continue
    const first = node.body.kind === SyntaxKind.Block ? node.body.statements[0] : node.body
    if (!first || !listensTo(first, name))
      found(parameter, `${name} is received and not listened to at once`)
  }
}

/** `save()` or `void save()` as a statement: a rejection has no handler. */
const droppedPromise: Find = (node, found, { checker, isAllowed }) => {
  if (node.kind !== SyntaxKind.ExpressionStatement) return
  const { expression } = node
  const value = expression.kind === SyntaxKind.VoidExpression ? expression.expression : expression
  if (keptValue(value) || isHeard(value) || !isPromise(value, checker)) return
  if (neverRejects(value, isAllowed)) return
  found(node, 'a promise is dropped: await it, or ignoreResult(…) it')
}

/** `clock.sleep(…).then(…)` and calls of functions that never reject. */
function neverRejects(value: Any, isAllowed: Rules['isAllowed']): boolean {
  if (value.kind !== SyntaxKind.CallExpression) return false
  const callee = (value.expression.getText() as string).replace(/^ports\./, '')
  if (isAllowed(callee)) return true
  const method = /^(.*)\.(?:then|finally)$/s.exec(callee)?.[1]
  if (!method || value.arguments.some(rethrows)) return false
  const inner = value.expression.expression
  return neverRejects(inner, isAllowed) || isAllowed(inner.getText())
}

/**
 * An async function passed where the return value is ignored: an emitter, a timer or a loop drops
 * its promise.
 */
const callbackPromise: Find = (node, found, { checker }) => {
  if (node.kind !== SyntaxKind.CallExpression && node.kind !== SyntaxKind.NewExpression) return
  for (const given of node.arguments ?? []) {
    if (given.kind !== SyntaxKind.ArrowFunction && given.kind !== SyntaxKind.FunctionExpression)
      continue
    const type = checker.getContextualType(given)
    const signature = type && checker.getSignaturesOfType(type, 0)[0]
    const returned = signature && checker.getReturnTypeOfSignature(signature)
    if (!returned || checker.typeToString(returned) !== 'void') continue
    const isAsync = given.modifiers?.some(({ kind }: Node) => kind === SyntaxKind.AsyncKeyword)
    const drops =
      given.body.kind !== SyntaxKind.Block && !isHeard(given.body) && isPromise(given.body, checker)
    if (isAsync || drops) found(given, 'a promise is returned to a caller that ignores it')
  }
}

/**
 * Checks unions by their text, because asking for the members of a union with a tuple crashes the
 * type server.
 */
function isPromise(value: Any, checker: Checker): boolean {
  const type = checker.getTypeAtLocation(value)
  const name = type?.getSymbol()?.name
  if (!type || name) return name === 'Promise' || name === 'PromiseLike'
  return /(^|\| )Promise(Like)?</.test(checker.typeToString(type))
}

/**
 * Returns whether an expression already has a handler, or is a promise that another place handles.
 */
function isHeard(value: Any): boolean {
  switch (value.kind) {
    case SyntaxKind.AwaitExpression:
    case SyntaxKind.Identifier:
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.NonNullExpression:
      return true
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.AsExpression:
      return isHeard(value.expression)
    case SyntaxKind.ConditionalExpression:
      return isHeard(value.whenTrue) && isHeard(value.whenFalse)
    case SyntaxKind.BinaryExpression:
      return isHeard(value.left) && isHeard(value.right)
    case SyntaxKind.CallExpression:
      return isHeardCall(value)
    // An executor without `reject` never rejects.
    case SyntaxKind.NewExpression:
      return value.expression.text === 'Promise' && value.arguments[0]?.parameters?.length === 1
    default:
      return false
  }
}

function isHeardCall({ expression, arguments: given }: Any): boolean {
  if (expression.kind === SyntaxKind.Identifier)
    return ['markHandled', 'ignoreResult', 'onRejection'].includes(expression.text)
  if (expression.kind !== SyntaxKind.PropertyAccessExpression) return false
  const method = expression.name.text
  if (method === 'catch') return !rethrows(given[0])
  if (method === 'then') return given.length > 1 && !given.some(rethrows)
  if (method === 'finally') return isHeard(expression.expression)
  const of = expression.expression.text
  return of === 'Promise' && (method === 'allSettled' || method === 'resolve')
}

const rethrows = (handler: Any | undefined): boolean => {
  if (!handler) return true
  let throws = false
  const visit = (node: Node) => {
    if (node.kind === SyntaxKind.ThrowStatement) throws = true
    node.forEachChild(visit)
  }
  visit(handler)
  return throws
}

function statementOf(node: Any): Any | undefined {
  let one: Any | undefined = node
  while (one && !(one.parent as Any | undefined)?.statements) one = one.parent as Any | undefined
  return one
}

/** Returns whether the next statement handles a name before it does anything else. */
function isHeardNext(statement: Any | undefined, name: string): boolean {
  const all = (statement?.parent as Any | undefined)?.statements
  const next = all?.[all.indexOf(statement) + 1]
  return next !== undefined && listensTo(next, name)
}

/**
 * Returns whether a statement awaits, returns or passes on a name, with nothing awaited before it.
 */
function listensTo(statement: Any, name: string): boolean {
  let isOver = false
  let listens = false
  const visit = (node: Any): void => {
    if (isOver || listens) return
    if (node.kind === SyntaxKind.Identifier && node.text === name) {
      listens = true
      return
    }
    node.forEachChild((child: Node) => visit(child as Any))
    if (node.kind === SyntaxKind.AwaitExpression) isOver = true
  }
  visit(statement)
  return listens
}
