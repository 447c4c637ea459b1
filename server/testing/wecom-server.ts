import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from './file-end.ts'

export const wecomApp = { corpId: 'ww-school', agentId: '1000002', secret: 'secret-of-the-application' }

/** Somebody who scans: a member with the fields the school has added, or an outsider, who has an openid alone. */
export type WecomPerson = { userid: string; fields?: Record<string, string> } | { openid: string }

/**
 * 企业微信 after its published interface: its two pages lead back with a code that is good once, for the application
 * whose token asks. Whoever comes to a page is `person`; none: they decline, and come back with the state alone.
 */
export async function wecomServer() {
  const codes = new Map<string, WecomPerson>()
  const state = {
    person: undefined as WecomPerson | undefined,
    /** What every interface but the one of tokens answers instead. */
    answer: undefined as { status?: number; body: string } | undefined,
    agent: { close: 0, redirect_domain: 'dekt.example.edu.cn' } as Record<string, unknown>,
    token: '',
    tokens: 0,
    /** The path of each request for a page. */
    pages: [] as string[],
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://wecom.invalid')
    const asked = (name: string) => searchParams.get(name) ?? ''
    const say = (body: object) => response.writeHead(200).end(JSON.stringify({ errcode: 0, errmsg: 'ok', ...body }))
    const isScan = pathname === '/wwlogin/sso/login'
    if (isScan || pathname === '/connect/oauth2/authorize') {
      state.pages.push(pathname)
      const isRight = isScan
        ? asked('login_type') === 'CorpApp'
        : asked('response_type') === 'code' && ['snsapi_base', 'snsapi_privateinfo'].includes(asked('scope'))
      if (
        !isRight ||
        asked('appid') !== wecomApp.corpId ||
        asked('agentid') !== wecomApp.agentId ||
        !/^[a-zA-Z0-9]{1,128}$/.test(asked('state'))
      )
        return response.writeHead(400).end('参数错误')
      const back = new URL(asked('redirect_uri'))
      if (state.person) {
        const code = randomBytes(16).toString('hex')
        codes.set(code, state.person)
        back.searchParams.set('code', code)
      }
      back.searchParams.set('state', asked('state'))
      return response.writeHead(302, { location: back.href }).end()
    }
    if (pathname === '/cgi-bin/gettoken') {
      if (asked('corpid') !== wecomApp.corpId) return say({ errcode: 40013, errmsg: 'invalid corpid' })
      if (asked('corpsecret') !== wecomApp.secret) return say({ errcode: 40001, errmsg: 'invalid credential' })
      state.tokens++
      state.token ||= randomBytes(8).toString('hex')
      return say({ access_token: state.token, expires_in: 7200 })
    }
    if (state.answer) return response.writeHead(state.answer.status ?? 200).end(state.answer.body)
    if (asked('access_token') !== state.token || !state.token)
      return say({ errcode: 40014, errmsg: 'invalid access_token' })
    if (pathname === '/cgi-bin/auth/getuserinfo') {
      const person = codes.get(asked('code'))
      codes.delete(asked('code'))
      if (!person) return say({ errcode: 40029, errmsg: 'invalid code' })
      return say('userid' in person ? { userid: person.userid } : { openid: person.openid, external_userid: 'wm-1' })
    }
    if (pathname === '/cgi-bin/user/get') {
      const { fields = {} } = state.person as { fields?: Record<string, string> }
      const attrs = Object.entries(fields).map(([name, value]) => ({ type: 0, name, text: { value } }))
      return say({ userid: asked('userid'), name: '张三', extattr: { attrs } })
    }
    if (pathname === '/cgi-bin/agent/get')
      return asked('agentid') === wecomApp.agentId
        ? say({ agentid: Number(wecomApp.agentId), name: '第二课堂', ...state.agent })
        : say({ errcode: 301002, errmsg: 'not allow operate another agent with this accesstoken' })
    return response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, state }
}
