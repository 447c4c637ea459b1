// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { pasted, pastedText } from './paste.ts'
import { isBlank, parseRich, toHtml } from './rich-nodes.ts'

const file = '11111111-1111-7111-8111-111111111111'
const drawn = (html: string) => toHtml(parseRich(html))

describe('a text as the console draws it', () => {
  test.each([
    ['<p>甲</p><script>alert(1)</script>', '<p>甲</p>'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<img src="data:image/svg+xml,x">', ''],
    // a paragraph ends the drawing before it, as every browser reads it
    ['<svg onload=alert(1)><p>乙</p></svg>', '<p>乙</p>'],
    ['<svg onload=alert(1)><text>乙</text></svg>', ''],
    ['<a href="javascript:alert(1)">丙</a>', '丙'],
    ['<a href="https://a.example" onclick="alert(1)">丁</a>', '<a href="https://a.example">丁</a>'],
    ['<p style="text-align:center;position:fixed" onclick="x">戊</p>', '<p style="text-align:center">戊</p>'],
    [`<img src="/api/schoolbase/file/view?id=${file}" alt="图" onload="x">`, `<img src="/api/schoolbase/file/view?id=${file}" alt="图">`],
    ['<img data-file-id="../../x" src="x">', ''],
    ['<iframe srcdoc="<p>x</p>"></iframe><p>己</p>', '<p>己</p>'],
    ['<div><p>庚</p><div>辛</div></div>', '<p>庚</p><p>辛</p>'],
    ['<p>a &lt; b &amp; "c"</p>', '<p>a &lt; b &amp; &quot;c&quot;</p>'],
    ['<ul><li><p>一</p></li></ul>', '<ul><li>一</li></ul>'],
  ])('%s', (html, expected) => expect(drawn(html)).toBe(expected))

  test('is the same when it is drawn again', () => {
    const html = '<h2>标题</h2><p style="text-align:right">一<strong>二</strong><br>三</p><table><tbody><tr><td colspan="2">四</td></tr></tbody></table><hr>'
    expect(drawn(html)).toBe(html)
    expect(isBlank(parseRich('<p> <br></p>'))).toBe(true)
    expect(isBlank(parseRich(`<p><img src="/api/schoolbase/file/view?id=${file}"></p>`))).toBe(false)
  })
})

describe('what is pasted', () => {
  test('from Word loses its office marks and keeps lists, bold and alignment', () => {
    const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p{mso-x:1}</style></head><body><!--StartFragment-->
      <p class=MsoNormal align=center style='text-align:center'><b><span lang=EN-US style='font-size:16pt'>通知<o:p></o:p></span></b></p><p class=MsoNormal><span lang=EN-US><o:p>&nbsp;</o:p></span></p>
      <p class=MsoListParagraph style='margin-left:21pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span></span><![endif]>报名</p>
      <p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp; </span></span>线上</p>
      <p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>2.<span>&nbsp;</span></span>比赛</p><!--EndFragment--></body></html>`
    expect(toHtml(pasted(word))).toBe('<p style="text-align:center"><strong>通知</strong></p><ol><li>报名<ul><li>线上</li></ul></li><li>比赛</li></ol>')
  })

  test('from WPS has its styles turned into elements and its marks into a list', () => {
    const wps = '<p class="MsoNormal"><span style="font-weight:bold;font-family:宋体">一、要求</span></p><p style="mso-list:l1 level1 lfo2">● 准时</p><p style="mso-list:l1 level1 lfo2">● 着装</p><img src="file:///C:/Users/x/clip_image001.png">'
    expect(toHtml(pasted(wps))).toBe('<p><strong>一、要求</strong></p><ul><li>准时</li><li>着装</li></ul>')
  })

  test('as plain text becomes paragraphs', () => expect(toHtml(pastedText('甲\n乙\n\n<b>丙</b>'))).toBe('<p>甲<br>乙</p><p>&lt;b&gt;丙&lt;/b&gt;</p>'))
})
