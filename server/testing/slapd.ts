import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasProgram, needDebian } from './debian-package.ts'
import { atFileEnd } from './file-end.ts'
import { freePort } from './free-port.ts'

export const directoryBase = 'dc=example,dc=edu'
export const searcher = { bindDn: `cn=searcher,${directoryBase}`, secret: 'of the searcher' }
export const directoryPassword = 'Directory-2026!x'

function run(program: string, args: string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
}

/**
 * Starts OpenLDAP with a directory of people, in clear (with StartTLS) and by TLS under a certificate of a campus's
 * own. Only {@link searcher} may search it. Each person has `uid`, `employeeNumber` as told, and the one password.
 */
export async function startDirectory(people: { uid: string; employeeNumber?: string | string[] }[]) {
  needDebian('slapd openssl', () => existsSync('/usr/sbin/slapd') && hasProgram('openssl'))
  const folder = mkdtempSync(join(tmpdir(), 'slapd-'))
  mkdirSync(join(folder, 'data'))
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  run(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '2',
      '-subj',
      '/CN=Campus',
    ],
    folder,
  )
  run('openssl', ['req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'request.pem', ...name], folder)
  run(
    'openssl',
    [
      'x509',
      '-req',
      '-in',
      'request.pem',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-copy_extensions',
      'copy',
      '-out',
      'cert.pem',
      '-days',
      '2',
    ],
    folder,
  )
  writeFileSync(
    join(folder, 'slapd.conf'),
    `include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
allow bind_anon_cred
database mdb
suffix "${directoryBase}"
rootdn "cn=root,${directoryBase}"
directory ${folder}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${searcher.bindDn}" read by * none
`,
  )
  const entry = (dn: string, ...lines: string[]) => [`dn: ${dn}`, ...lines, '', ''].join('\n')
  const named = ['objectClass: inetOrgPerson', 'sn: 人', 'cn: 人'].map((line) =>
    line.replace(/(sn|cn): 人/, (_, field) => `${field}:: ${Buffer.from('人').toString('base64')}`),
  )
  writeFileSync(
    join(folder, 'people.ldif'),
    entry(directoryBase, 'objectClass: dcObject', 'objectClass: organization', 'o: example', 'dc: example') +
      entry(
        searcher.bindDn,
        'objectClass: person',
        'sn: searcher',
        'cn: searcher',
        `userPassword: ${searcher.secret}`,
      ) +
      people
        .map(({ uid, employeeNumber = [] }) =>
          entry(
            `uid=${uid},${directoryBase}`,
            ...named,
            `uid: ${uid}`,
            // a description takes several values, a number of inetOrgPerson only one
            ...[employeeNumber].flat().map((number) => `description: ${number}`),
            `userPassword: ${directoryPassword}`,
          ),
        )
        .join(''),
  )
  run('/usr/sbin/slapadd', ['-f', 'slapd.conf', '-l', 'people.ldif'], folder)
  const [plain, secure] = [await freePort(), await freePort()]
  const child = spawn(
    '/usr/sbin/slapd',
    ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', `ldap://127.0.0.1:${plain} ldaps://127.0.0.1:${secure}`],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  atFileEnd(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  for (let tries = 0; !(await isListening(secure)); tries++) {
    if (tries > 100 || child.exitCode !== null) throw new Error(`slapd did not start (exit ${child.exitCode})`)
    await sleep(100)
  }
  return {
    plain: `ldap://127.0.0.1:${plain}`,
    secure: `ldaps://127.0.0.1:${secure}`,
    ca: readFileSync(join(folder, 'ca.pem'), 'utf8'),
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => (socket.destroy(), answer(true)))
    socket.once('error', () => answer(false))
  })
