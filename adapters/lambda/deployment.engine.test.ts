import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { routesOf } from '../../functions/kit/manifest.ts'
import { temporaryFolder } from '../../local/harness/folder.ts'
import { writeFunctions } from '../../local/harness/functions.ts'
import { packagedBy, type Template } from '../../local/harness/osls.ts'
import { present } from '../../local/harness/present.ts'
import { prefix, routes } from '../../serverless.ts'
import { expiry, tableDefinition } from '../dynamo/table-definition.ts'
import { groupsOf } from './groups.ts'

let template: Template

beforeAll(async () => {
  await using folder = await temporaryFolder()
  await writeFunctions(join(folder.directory, 'dist/functions'))
  const manifest = new URL('../../serverless.ts', import.meta.url).pathname
  await writeFile(
    join(folder.directory, 'serverless.ts'),
    `export { default } from ${JSON.stringify(manifest)}\n`,
  )
  template = await packagedBy(folder.directory, join(folder.directory, 'out'))
})

const ofType = (type: string) =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type)
const propertiesOf = (name: string) => present(template.Resources[name], name).Properties

test('has fewer resources than CloudFormation allows', () => {
  expect(Object.keys(template.Resources).length).toBeLessThan(500)
})

test('has every route of the manifest once, with its function', () => {
  const found = ofType('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => [
    Properties.RouteKey,
    JSON.stringify(Properties.Target),
  ])
  const wanted = groupsOf(routes).flatMap(({ name, routes: lines }) =>
    lines.map((line) => [line.replace(' ', ` ${prefix}`), targetOf(name)]),
  )
  expect(found.toSorted()).toEqual(wanted.toSorted())
  expect(found).toHaveLength(routesOf(routes).length)
})

const titled = (group: string) => group[0]?.toUpperCase() + group.slice(1).replaceAll('-', 'Dash')
const targetOf = (group: string) =>
  JSON.stringify({
    'Fn::Join': ['/', ['integrations', { Ref: `HttpApiIntegration${titled(group)}` }]],
  })

test('each route gets events of the payload format 2.0', () => {
  const formats = ofType('AWS::ApiGatewayV2::Integration').map(
    ([, { Properties }]) => Properties.PayloadFormatVersion,
  )
  expect(formats).toEqual(groupsOf(routes).map(() => '2.0'))
})

test('the tables are those that the service creates', () => {
  const made = { ...tableDefinition, TimeToLiveSpecification: expiry }
  expect(ofType('AWS::DynamoDB::Table').map(([, { Properties }]) => Properties)).toEqual([
    { TableName: 'container-stacks-dev', ...made },
    { TableName: 'container-stacks-dev-logs', ...made },
  ])
})

test('the tables stay when the stack is deleted', () => {
  expect(ofType('AWS::DynamoDB::Table').map(([, table]) => table)).toMatchObject([
    { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' },
    { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' },
  ])
})

test('a function ends before the gateway gives up, and knows its table', () => {
  const functions = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties)
  expect(functions).toHaveLength(groupsOf(routes).length)
  for (const one of functions) {
    expect(one).toMatchObject({
      Timeout: 29,
      Handler: 'main.handler',
      Environment: {
        Variables: {
          SERVICE_DYNAMODB_TABLE: 'container-stacks-dev',
          SERVICE_KEYS: 'store',
          SERVICE_INTERNAL_ADDRESS: '',
          SERVICE_FEEDS_URL: '',
          SERVICE_SECRET_KEY: '{{resolve:secretsmanager:container-stacks-dev-secret-key}}',
        },
      },
    })
  }
})

test('functions that hash passwords have more memory', () => {
  const large = ofType('AWS::Lambda::Function').filter(
    ([, { Properties }]) => Properties.MemorySize === 1024,
  )
  expect(large.map(([name]) => name)).toEqual([
    'SetupLambdaFunction',
    'AuthLambdaFunction',
    'MeLambdaFunction',
    'UsersLambdaFunction',
  ])
})

interface Statement {
  Action: string[]
  Resource: unknown[]
}

/** Returns the actions of a group's role by the resource, in the order of the statements. */
function allowedTo(group: string): string[] {
  const { Role } = propertiesOf(`${titled(group)}LambdaFunction`) as {
    Role: { 'Fn::GetAtt': [string] }
  }
  const [{ PolicyDocument }] = propertiesOf(Role['Fn::GetAtt'][0]).Policies as [
    { PolicyDocument: { Statement: Statement[] } },
  ]
  return PolicyDocument.Statement.map(
    ({ Action, Resource }) =>
      `${nameOf(Resource)}: ${Action.join(' ').replaceAll('dynamodb:', '')}`,
  )
}

function nameOf(resource: unknown[]): string {
  const text = JSON.stringify(resource)
  if (text.includes('"index"')) return 'index'
  return /"(Items|Logs)Table"/.exec(text)?.[1]?.toLowerCase() ?? 'log'
}

const reading = 'items: GetItem BatchGetItem Query UpdateItem PutItem'
const changing = `${reading} DeleteItem BatchWriteItem`
const recording = 'logs: GetItem Query PutItem'
const ends = ['index: Query', 'log: logs:CreateLogStream logs:PutLogEvents']

const special: Record<string, string[]> = {
  docs: ['log: logs:CreateLogStream logs:PutLogEvents'],
  audit: [changing, `${recording} DeleteItem BatchWriteItem`, ...ends],
  'secret-keys': [`${changing} Scan`, recording, ...ends],
}
const readers =
  'health version networks volumes compose-projects alerts alert-events metrics'.split(' ')

test('each function may do only what its routes need', () => {
  for (const { name } of groupsOf(routes)) {
    const usual = [readers.includes(name) ? reading : changing, recording, ...ends]
    expect(allowedTo(name), name).toEqual(special[name] ?? usual)
  }
})

test('a function writes only its own log', () => {
  const { Policies } = propertiesOf('AlertRulesRole')
  expect(JSON.stringify(Policies)).toContain(
    ':log-group:/aws/lambda/container-stacks-dev-alert-rules:*',
  )
})
