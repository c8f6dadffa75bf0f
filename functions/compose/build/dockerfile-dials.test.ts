import { expect, test } from 'vitest'
import { dockerfileDials } from './dockerfile-dials.ts'
import { readDockerfile } from './read-dockerfile.ts'

const V = '$'
const bad = '10.0.0.5:5000/x'
const url = 'http://127.0.0.1:1/x'

const refused: [name: string, text: string, given?: Record<string, string | null>][] = [
  ['a base by address', `FROM ${bad}`],
  ['a base on localhost', 'FROM localhost/x'],
  ['a base in upper case', 'FROM LocalHost/x'],
  ['a base on a name without a dot', 'FROM registry:5000/x'],
  ['a second stage', `FROM a\nFROM ${bad} AS b`],
  ['a platform', `FROM --platform=linux/amd64 ${bad}`],
  ['a quoted base', 'FROM "10.0.0.5:5000"/x'],
  ['an escaped base', 'FROM loc\\alhost/x'],
  ['an escaped base with the other escape', '# escape=`\nFROM loc`alhost/x'],
  ['a base from an argument', `ARG B=${bad}\nFROM ${V}B`],
  ['a base from a build argument', `ARG B=a\nFROM ${V}{B}`, { B: bad }],
  ['a base from the first of two arguments', `ARG B=${bad}\nARG B=a\nFROM ${V}B`],
  ['an argument declared too late', `FROM 10.0.0.5${V}D/x\nARG D=.example.com`],
  ['an argument inside a here-document', `ARG B=${bad}\nRUN <<E\nARG B=a\nE\nFROM ${V}B`],
  ['an unknown form of substitution', `ARG B=a\nFROM ${V}{B#x}`],
  ['a copy', `FROM a\nCOPY --from=${bad} / /`],
  ['a copy after another flag', `FROM a\nCOPY --chown="1 2" --from=${bad} / /`],
  ['a copy with an escaped flag', `FROM a\nCOPY --fr\\om=${bad} / /`],
  ['a copy with a quoted flag', `FROM a\nCOPY --f"ro"m=${bad} / /`],
  ['a mount', `FROM a\nRUN --mount=type=bind,from=${bad},target=/x true`],
  ['a quoted mount', `FROM a\nRUN --mount=type=bind,"from=${bad}" true`],
  ['a mount in upper case', `FROM a\nRUN --mount=FROM=${bad},target=/x true`],
  ['a base after a word that is not a here-document', `FROM a\nRUN echo \\\n <<E\nFROM ${bad}\nE`],
  ['a base after a comment in a here-document', `FROM a\nRUN <<"#E"\nx \\\n#E\nFROM ${bad}`],
  ['a base after a space that only the builder trims', `FROM a\n\u0085FROM ${bad}`],
  ['an instruction across two lines', `FR\\\nOM ${bad}`],
  ['an address', `FROM a\nADD ${url} /x`],
  ['an address after an instruction in lower case and tabs', `FROM a\n\tadd\t${url} /x`],
  ['an address after a file', `FROM a\nADD y ${url} /x`],
  ['an address on the next line', `FROM a\nADD \\\n  ${url} /x`],
  ['an address in a list', `FROM a\nADD ["${url}", "/x"]`],
  ['an escaped address in a list', 'FROM a\nADD ["http\\u003a//127.0.0.1/x", "/x"]'],
  ['an escaped address', 'FROM a\nADD ht\\tp:/\\/127.0.0.1/x /x'],
  ['an address of git', 'FROM a\nADD git@127.0.0.1:x/y.git /x'],
  ['an address from a variable', `FROM a\nARG U=${url}\nADD ${V}U /x`],
  ['an address from a variable of the base', `FROM a\nADD ${V}{U} /x`],
  ['half an address from a variable', `FROM a\nADD ht${V}{U} /x`],
  ['an address for later builds', `FROM a\nONBUILD ADD ${url} /x`],
  ['a copy for later builds', `FROM a\nonbuild copy --from=${bad} / /`],
  ['ONBUILD with a letter that only the builder folds', `FROM a\nONBU\u0130LD ADD ${url} /x`],
  ['a frontend by address', `# syntax=${bad}\nFROM a`],
  ['a third-party frontend', '# syntax=docker.io/stranger/frontend\nFROM a'],
  ['a frontend in the comment syntax of other files', '// syntax=stranger/frontend\nFROM a'],
  ['a frontend in JSON', '{"syntax": "stranger/frontend"}'],
  ['a frontend behind a space that newer builders skip', '#\u0085syntax=stranger/frontend\nFROM a'],
  ['a frontend whose name ends with such a space', '# syntax\u0085=stranger/frontend\nFROM a'],
  ['Docker’s frontend behind such a space', '#\u00a0syntax=docker/dockerfile:1\nFROM a'],
  ['an escape character that builders see or not', '#\u0085escape=`\nFROM a'],
  ['a frontend with a letter that builders fold', '# \u017fyntax=stranger/frontend\nFROM a'],
  ['a frontend in JSON with an escaped key', '{"\\u0073yntax": "stranger/frontend"}'],
  ['a frontend in JSON with a folded key', '{"\u017fyntax": "stranger/frontend"}'],
  [
    'a frontend in JSON after a line for the kernel',
    '#!/usr/bin/env x\n{"\\u0073yntax": "stranger/frontend"}',
  ],
  ['a frontend in JSON after comments', `#!x\n# y\n\n \u0085{"syntax": "stranger/frontend"}`],
  ['a base behind an odd space', `FROM a\nFROM\u0085${bad}`],
  ['a base in a flag that ends inside a letter', `FROM --platform=linux\u0105${bad}`],
  ['a base behind a quoted space', `FROM --platform="${V}{Y:+ b }" ${bad}`],
  ['a base behind an escaped space', `FROM --platform=${V}{Y:+\\ b\\ } ${bad}`],
  ['an address in a flag that ends inside a letter', `FROM a\nADD --chown=\u0105${V}U /x`],
  ['a second argument behind an odd space', `ARG A=a\nARG C=c\u0085A=${bad}\nFROM ${V}A`],
  ['an argument between escaped quotes', `ARG A=a\nARG C=\\"c A=${bad} D=\\"\nFROM ${V}A`],
  ['a base without a value', `FROM a\nFROM ${V}B`],
  ['a line that is too long', `FROM ${' '.repeat(9000)}${bad}`],
  [
    'a mount behind many spaces',
    `FROM a\nRUN${' '.repeat(9000)}--mount=from=${bad},target=/x true`,
  ],
  [
    'a mount behind many continued lines',
    `FROM a\nRUN ${' \\\n'.repeat(9000)}--mount=from=${bad} x`,
  ],
  ['a mount behind a long flag', `FROM a\nRUN --a=${'b'.repeat(9000)} --mount=from=${bad} x`],
  [
    'a mount behind a long quoted flag',
    `FROM a\nRUN --a="c ${'b'.repeat(9000)}" --mount=from=${bad}`,
  ],
  [
    'a mount whose value is the next word',
    `FROM a\nRUN --mount ${'b'.repeat(9000)} --mount=from=${bad}`,
  ],
  ['a copy whose value is the next word', `FROM a\nCOPY --from ${bad} / /`],
  ['a platform that is the next word', `FROM --platform linux/amd64 ${bad}`],
  [
    'an argument before a space after which only we would continue the line',
    `ARG R=nas.local\\\u00a0\nENV x=1\nFROM ${V}R/x`,
  ],
  ['a carriage return inside a line', `FROM a\\\r\r\nFROM b`],
  ['a Dockerfile that is too long', `FROM a\n${'#\n'.repeat(60_000)}`],
]

test.each(refused)('rejects %s', (_, text, given = {}) => {
  expect(dockerfileDials(readDockerfile(text), given, []).problem).toEqual(expect.any(String))
})

const allowed: [name: string, text: string, given?: Record<string, string | null>][] = [
  ['names of Docker Hub', 'FROM node:22 AS build\nFROM build\nCOPY --from=build /a /b'],
  ['public names', 'FROM ghcr.io/a/b:1\nCOPY --from=quay.io/c/d / /'],
  ['an allowed registry', 'FROM registry:5000/x'],
  ['a version', `ARG VERSION=3.19\nFROM alpine:${V}{VERSION}`],
  ['a registry from an argument', `ARG R=docker.io\nFROM ${V}{R}/library/alpine`],
  ['a part of a registry', `ARG R=my\nFROM ${V}{R}.example.com/a`],
  [
    'the official frontend',
    '# syntax=docker/dockerfile:1.7\nFROM a\nRUN --mount=type=cache,target=/c x',
  ],
  ['the official frontend after a line for the kernel', '#!x\n#syntax=docker/dockerfile:1\nFROM a'],
  ['comments with odd spaces', 'FROM a\n#\u00a0escape = exit\nRUN echo "\u00a05 €"'],
  ['a quoted platform', `FROM --platform="${V}{BUILDPLATFORM}" a AS b`],
  ['a stage for each platform', `FROM a AS linux\nFROM ${V}TARGETOS`],
  ['quoted arguments', `ARG A="a b" C='d'\nFROM a`],
  ['files with letters outside of ASCII', 'FROM a\nCOPY größe.txt "/ä ö/"\nADD ą.tar /'],
  ['files', `FROM a\nADD app.tar.gz /\nADD ["a b", "/c"]\nADD ./app-${V}{V}.tgz ${V}{HOME}/`],
  ['an address that a command fetches', `FROM a\nRUN apk add curl && curl -O ${url}`],
  ['Python in a here-document', 'FROM a\nRUN <<E python\nfrom os import path\nE'],
  ['a long command', `FROM a\nRUN --mount=type=cache,target=/c true${' && true'.repeat(2000)}`],
  ['a long command in lines', `FROM a\nRUN true${' && \\\n  true'.repeat(2000)}`],
  ['SQL in a here-document', 'FROM a\nRUN <<E sql\nSELECT 1\nFROM users -- all\nE'],
  ['a platform of the builder', `FROM --platform=${V}BUILDPLATFORM golang AS b\nARG TARGETARCH`],
]

test.each(allowed)('allows %s', (_, text, given = {}) => {
  expect(dockerfileDials(readDockerfile(text), given, ['registry:5000']).problem).toBeUndefined()
})

test.each([
  [
    `FROM a\n\nRUN${' '.repeat(9000)}x`,
    'line 3: the flags of `RUN` do not end within 8192 characters',
  ],
  [`FROM a\nCOPY ${'b '.repeat(9000)} /x`, 'line 2: `COPY` is longer than 8192 characters'],
  [
    `FROM a\n\n# x\nCOPY --from=${V}{A#b} / /`,
    'line 4: the image that `COPY --from=${A#b} / /` refers to',
  ],
  [`ARG A=${V}{B#c}\nFROM ${V}A`, 'line 1: the value of `ARG A=${B#c}` cannot be determined'],
])('says where it does not understand %j', (text, problem) => {
  expect(dockerfileDials(readDockerfile(text), {}, []).problem).toContain(problem)
})

test.each([
  ['FROM a \\\n'.repeat(11_000)],
  ['RUN --a \\\n'.repeat(10_000)],
  ['ONBUILD '.repeat(12_000)],
  [`ARG A=${'$A'.repeat(4000)}\n`.repeat(10)],
])('reads a hostile Dockerfile: %.20j', (text) => {
  expect(dockerfileDials(readDockerfile(text), {}, [])).toBeDefined()
})
