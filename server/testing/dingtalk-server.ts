import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from './file-end.ts'

export const dingtalkApp = { corpId: 'ding-school', key: 'ding-key', secret: 'secret-of-the-application' }

/** Somebody who scans, as all of 钉钉 knows them, and as the organisation does where they are one of its people. */
export interface DingtalkPerson {
  unionId: string
  /** The organisation that they choose. */
  corpId?: string
  member?: { userid: string; contact_type?: number; job_number?: string; extension?: string }
}

/**
 * 钉钉 after its published interface: the page leads back with an `authCode` that is good once; the newer interface
 * makes it a token of the person, the older one looks people up by the token of the application.
 */
export async function dingtalkServer() {
  const codes = new Map<string, DingtalkPerson>()
  const users = new Map<string, DingtalkPerson>()
  const state = {
    person: undefined as DingtalkPerson | undefined,
    /** What a path answers instead. */
    answers: {} as Record<string, { status?: number; body: string } | undefined>,
    token: randomBytes(8).toString('hex'),
    tokens: 0,
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://dingtalk.invalid')
    const asked = (name: string) => searchParams.get(name) ?? ''
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, string>
      const say = (answer: object) => response.writeHead(200).end(JSON.stringify(answer))
      const refuse = (status: number, code: string, message: string) =>
        response.writeHead(status).end(JSON.stringify({ code, message, requestid: 'r-1' }))
      if (pathname === '/oauth2/auth') {
        const isRight =
          asked('response_type') === 'code' &&
          asked('client_id') === dingtalkApp.key &&
          asked('scope') === 'openid corpid' &&
          asked('prompt') === 'consent'
        if (!isRight) return response.writeHead(400).end('参数错误')
        const back = new URL(asked('redirect_uri'))
        if (state.person) {
          const code = randomBytes(16).toString('hex')
          codes.set(code, state.person)
          back.searchParams.set('authCode', code)
        } else back.searchParams.set('error', 'access_denied')
        back.searchParams.set('state', asked('state'))
        return response.writeHead(302, { location: back.href }).end()
      }
      const answer = state.answers[pathname]
      if (answer) return response.writeHead(answer.status ?? 200).end(answer.body)
      if (pathname === '/v1.0/oauth2/userAccessToken') {
        if (body['clientId'] !== dingtalkApp.key || body['clientSecret'] !== dingtalkApp.secret)
          return refuse(400, 'invalidClientIdOrSecret', '无效的clientId或者clientSecret')
        const person = codes.get(body['code']!)
        codes.delete(body['code']!)
        if (!person || body['grantType'] !== 'authorization_code')
          return refuse(400, 'invalidParameter.authCode.notFound', '不合法的临时授权码')
        const accessToken = randomBytes(8).toString('hex')
        users.set(accessToken, person)
        const { corpId = dingtalkApp.corpId } = person
        return say({ accessToken, refreshToken: 'never-used', expireIn: 7200, corpId })
      }
      if (pathname === '/v1.0/contact/users/me') {
        const person = users.get(String(request.headers['x-acs-dingtalk-access-token']))
        if (!person) return refuse(400, 'InvalidAuthentication', '不合法的access_token')
        return say({ nick: '张三', unionId: person.unionId, openId: 'o-1' })
      }
      if (pathname === '/gettoken') {
        if (asked('appkey') !== dingtalkApp.key || asked('appsecret') !== dingtalkApp.secret)
          return say({ errcode: 40096, errmsg: '不合法的appKey或appSecret' })
        state.tokens++
        return say({ errcode: 0, errmsg: 'ok', access_token: state.token, expires_in: 7200 })
      }
      if (asked('access_token') !== state.token)
        return say({ errcode: 88, sub_code: '40014', sub_msg: '不合法的access_token', errmsg: 'ding talk error' })
      const { member } = [...users.values()].find(({ unionId }) => unionId === body['unionid']) ?? {}
      if (pathname === '/topapi/user/getbyunionid')
        return say(
          member
            ? { errcode: 0, errmsg: 'ok', result: { contact_type: member.contact_type ?? 0, userid: member.userid } }
            : { errcode: 60121, errmsg: '找不到该用户' },
        )
      if (pathname === '/topapi/v2/user/get') {
        const found = [...users.values()].find((each) => each.member?.userid === body['userid'])
        return say({ errcode: 0, errmsg: 'ok', result: { ...found?.member, name: '张三' } })
      }
      return response.writeHead(404).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, state }
}
