import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { routesOf } from '../../functions/kit/manifest.ts'
import { temporaryFolder } from '../../local/harness/folder.ts'
import { writeFunctions } from '../../local/harness/functions.ts'
import { packagedBy, type Template } from '../../local/harness/osls.ts'
import { prefix, routes } from '../../serverless.ts'
import { expiry, tableDefinition } from '../dynamo/table-definition.ts'
import { present } from '../testing/present.ts'
import { deployment } from './deployment.ts'
import { groupsOf } from './groups.ts'

let template: Template
/** The template of a packager who sets all variables. */
let complete: Template

const variables = {
  SERVICE_BASE_URL: 'https://stacks.example.org',
  SERVICE_FEEDS_URL: 'https://feeds.example.org',
  SERVICE_INTERNAL_ADDRESS: '10.0.1.20:8444',
  SERVICE_OUTBOUND_ALLOW: '10.0.1.9:25, ntfy.lan',
  SERVICE_STACKS_DIR: '/srv/stacks',
}

beforeAll(async () => {
  await using folder = await temporaryFolder()
  await writeFunctions(join(folder.directory, 'dist/functions'))
  const manifest = fileURLToPath(new URL('../../serverless.ts', import.meta.url))
  await writeFile(
    join(folder.directory, 'serverless.ts'),
    `export { default } from ${JSON.stringify(manifest)}\n`,
  )
  template = await packagedBy(folder.directory, join(folder.directory, 'out'))
  complete = await packagedBy(folder.directory, join(folder.directory, 'complete'), {
    ...variables,
    SERVICE_SETUP_SECRET: 'a secret of the test',
    FUNCTIONS_SUBNETS: 'subnet-1, subnet-2',
    FUNCTIONS_SECURITY_GROUPS: 'sg-1',
  })
})

const ofType = (type: string, { Resources } = template) =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type)
const propertiesOf = (name: string, { Resources } = template) =>
  present(Resources[name], name).Properties

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
          ...Object.fromEntries(Object.keys(variables).map((name) => [name, ''])),
        },
      },
    })
    expect(one).not.toHaveProperty('VpcConfig')
  }
})

test('functions get the variables of the packager', () => {
  const functions = ofType('AWS::Lambda::Function', complete)
  expect(functions).toHaveLength(groupsOf(routes).length)
  for (const [name, { Properties }] of functions) {
    expect(Properties, name).toMatchObject({ Environment: { Variables: variables } })
  }
})

/** Returns the variable of each function that has it. */
const variableOf = (name: string, from?: Template) =>
  Object.fromEntries(
    ofType('AWS::Lambda::Function', from).flatMap(([title, { Properties }]) => {
      const { Variables } = Properties.Environment as { Variables: Record<string, unknown> }
      return name in Variables ? [[title, Variables[name]]] : []
    }),
  )

const forStore = groupsOf(routes).flatMap(({ name }) => (name === 'docs' ? [] : [name]))

test('every function but that for pages has the key of secrets', () => {
  const secret = '{{resolve:secretsmanager:container-stacks-dev-secret-key}}'
  expect(variableOf('SERVICE_SECRET_KEY')).toEqual(
    Object.fromEntries(forStore.map((name) => [`${titled(name)}LambdaFunction`, secret])),
  )
})

test('only the function for the set-up has its secret', () => {
  const name = 'SERVICE_SETUP_SECRET'
  expect(variableOf(name)).toEqual({ SetupLambdaFunction: '' })
  expect(variableOf(name, complete)).toEqual({ SetupLambdaFunction: 'a secret of the test' })
})

test('every function but that for pages is in the network of the packager', () => {
  const VpcConfig = { SubnetIds: ['subnet-1', 'subnet-2'], SecurityGroupIds: ['sg-1'] }
  for (const name of forStore) {
    const one = propertiesOf(`${titled(name)}LambdaFunction`, complete)
    expect(one, name).toMatchObject({ VpcConfig })
    const statements = statementsOf(name, complete).filter(({ Action }) =>
      Action.includes('ec2:CreateNetworkInterface'),
    )
    expect(statements, name).toMatchObject([
      { Effect: 'Allow', Resource: ['*'] },
      {
        Effect: 'Deny',
        Action: statements[0]?.Action,
        Resource: ['*'],
        Condition: {
          ArnEquals: {
            'lambda:SourceFunctionArn': {
              'Fn::Sub': expect.stringMatching(
                new RegExp(`:lambda:.*:function:container-stacks-dev-${name}$`),
              ),
            },
          },
        },
      },
    ])
  }
  expect(propertiesOf('DocsLambdaFunction', complete)).not.toHaveProperty('VpcConfig')
  expect(JSON.stringify(statementsOf('docs', complete))).not.toContain('ec2:')
})

test('functions need subnets and security groups, or none', () => {
  const set = 'set both FUNCTIONS_SUBNETS and FUNCTIONS_SECURITY_GROUPS, or none of them'
  for (const name of ['FUNCTIONS_SUBNETS', 'FUNCTIONS_SECURITY_GROUPS']) {
    expect(() => deployment({ prefix, routes, env: { [name]: 'one-1' } })).toThrow(set)
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

/** Returns the statements of a group's role. */
function statementsOf(group: string, from?: Template): Statement[] {
  const { Role } = propertiesOf(`${titled(group)}LambdaFunction`, from) as {
    Role: { 'Fn::GetAtt': [string] }
  }
  const [{ PolicyDocument }] = propertiesOf(Role['Fn::GetAtt'][0], from).Policies as [
    { PolicyDocument: { Statement: Statement[] } },
  ]
  return PolicyDocument.Statement
}

/** Returns the actions of a group's role by the resource, in the order of the statements. */
const allowedTo = (group: string) =>
  statementsOf(group).map(
    ({ Action, Resource }) =>
      `${nameOf(Resource)}: ${Action.join(' ').replaceAll('dynamodb:', '')}`,
  )

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
  audit: [reading, `${recording} BatchWriteItem`, ...ends],
  'secret-keys': [`${changing} Scan`, recording, ...ends],
}
const readers = [
  ...['health', 'version', 'networks', 'volumes', 'compose-projects', 'container-metrics'],
  ...['volume-sizes', 'alerts', 'alert-events', 'metrics'],
]

test('each function may do only what its kind of role allows', () => {
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
