// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { imagesIn, plainText, richTags } from '../../contract/news/rich-text.ts'
import { cleanHtml } from './clean-html.ts'

const file = '/api/schoolbase/file/view?id=11111111-1111-7111-8111-111111111111'

/** What attackers write, and browsers and office programs leave behind (SECURITY class 7). */
const corpus = [
  '<script>alert(1)</script>', '<ScRiPt src=//evil.example/x.js></sCrIpT>', '<script\n>alert(1)</script\n>', '<<script>alert(1)//<</script>', '<img src=x onerror=alert(1)>', '<img src="x" OnError="alert(1)">', '<img src=`x` onerror=alert(1)>',
  '<img/src="x"/onerror=alert(1)>', `<img src="${file}" onload=alert(1)>`, '<img src="javascript:alert(1)">', '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">', '<img src="data:text/html,<script>alert(1)</script>">',
  '<img src="http://169.254.169.254/latest/meta-data">', '<img src="//evil.example/p.gif">', '<img src="/api/schoolbase/user/logout">', `<img src="${file}&x=1">`, '<img srcset="http://evil.example/a 1x" src="x">', '<img src="blob:http://127.0.0.1/1">',
  '<a href="javascript:alert(1)">x</a>', '<a href=" javascript:alert(1)">x</a>', '<a href="java\tscript:alert(1)">x</a>', '<a href="&#106;avascript:alert(1)">x</a>', '<a href="JaVaScRiPt:alert(1)">x</a>', '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>', '<a href="//evil.example">x</a>', '<a href="\\\\evil.example">x</a>', '<a href="https://a.example" onclick="alert(1)" target="_blank" style="position:fixed">x</a>', '<a href="http://a.example/\'onmouseover=alert(1)">x</a>',
  '<svg onload=alert(1)>', '<svg><script>alert(1)</script></svg>', '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>', '<svg><style><img src=x onerror=alert(1)></style></svg>', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<math href="javascript:alert(1)">x</math>', '<iframe src="javascript:alert(1)"></iframe>', '<iframe srcdoc="<script>alert(1)</script>"></iframe>', '<object data="data:text/html,x"></object>', '<embed src="x.swf">', '<applet code=x>', '<base href="http://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=http://evil.example">', '<link rel="stylesheet" href="http://evil.example/x.css">', '<style>@import "http://evil.example/x.css"; body{display:none}</style>', '<p style="background:url(http://evil.example)">x</p>', '<p style="text-align:center;position:fixed;top:0">x</p>',
  '<p style="text-align:expression(alert(1))">x</p>', '<p style="width:100%;behavior:url(x.htc)">x</p>', '<form action="http://evil.example"><input name=p><button formaction="javascript:alert(1)">x</button></form>', '<input autofocus onfocus=alert(1)>', '<select><option onfocus=alert(1)>x</select>',
  '<textarea><img src=x onerror=alert(1)></textarea>', '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', '<xmp><img src=x onerror=alert(1)></xmp>', '<plaintext><img src=x onerror=alert(1)>', '<template><img src=x onerror=alert(1)></template>',
  '<details open ontoggle=alert(1)>x</details>', '<marquee onstart=alert(1)>x</marquee>', '<video src=x onerror=alert(1)></video>', '<audio src=x onerror=alert(1)></audio>', '<video><source onerror=alert(1)></video>', '<body onload=alert(1)>', '<div onmouseover="alert(1)">x</div>', '<p id="app" class="x" name="y">x</p>',
  '<!--<img src="--><img src=x onerror=alert(1)//">', '<![CDATA[<script>alert(1)</script>]]>', '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>', '<p><a href="https://x.example"><img src=x onerror=alert(1)></a></p>',
  '<table background="javascript:alert(1)"><tr><td background="x" colspan="999999" onclick=alert(1)>x</td></tr></table>', '<isindex type=image src=1 onerror=alert(1)>', '<keygen autofocus onfocus=alert(1)>', '"><script>alert(1)</script>', "';alert(1)//", '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>', '<a href="tel:1;javascript:alert(1)">x</a>',
]

/** Everything wrong with a cleaned text, as a browser would read it. */
function wrong(html: string): string[] {
  return [...new DOMParser().parseFromString(html, 'text/html').body.querySelectorAll('*')].flatMap((element) => {
    const tag = element.tagName.toLowerCase()
    const faults = (richTags as readonly string[]).includes(tag) || tag === 'tbody' ? [] : [`element ${tag}`]
    for (const { name, value } of element.attributes) {
      const fits = name === 'href' ? /^(https?:\/\/|mailto:|tel:)/.test(value) : name === 'src' ? value === file : name === 'style' ? /^text-align:\s?(center|right|justify)$/.test(value) : name === 'alt' || ((name === 'colspan' || name === 'rowspan') && /^[1-9]\d?$/.test(value))
      if (!fits) faults.push(`${tag} ${name}=${value}`)
    }
    return faults
  })
}

describe('the text of news', () => {
  test.each(corpus.map((html) => [html]))('holds nothing that runs or reaches out: %s', (html) => {
    const cleaned = cleanHtml(html)
    expect(wrong(cleaned)).toEqual([])
    expect(cleanHtml(cleaned)).toBe(cleaned)
  })

  test('keeps what editors write', () => {
    const html = `<h2>标题</h2><p style="text-align:center">一<strong>二</strong><em>三</em></p><ul><li>四</li></ul><p><a href="https://example.edu.cn/a?b=1&amp;c=2">五</a></p><table><tbody><tr><td colspan="2">六</td></tr></tbody></table><img src="${file}" alt="图" />`
    expect(cleanHtml(html)).toBe(html)
    expect(imagesIn(cleanHtml(html))).toEqual(['11111111-1111-7111-8111-111111111111'])
    expect(plainText(html)).toBe('标题 一 二 三 四 五 六')
  })

  test('is written in the same elements, whatever program it comes from', () => {
    expect(cleanHtml('<div><b>甲</b><i>乙</i><h1>丙</h1></div><p class="MsoNormal" style="margin:0;text-align:center"><span lang="EN-US">丁<o:p></o:p></span></p>')).toBe('<p><strong>甲</strong><em>乙</em><h2>丙</h2></p><p style="text-align:center">丁</p>')
  })
})
