// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { pasted } from './paste.ts'
import { cleanStored } from './rich-clean.ts'

const file = '11111111-1111-7111-8111-111111111111'

describe('a text as the console draws it', () => {
  test.each([
    ['<p>甲</p><script>alert(1)</script>', '<p>甲</p>'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<img src="data:image/svg+xml,x">', ''],
    ['<svg onload=alert(1)><text>乙</text></svg>', ''],
    ['<a href="javascript:alert(1)">丙</a>', '<a>丙</a>'],
    ['<a href="https://a.example" onclick="alert(1)">丁</a>', '<a href="https://a.example">丁</a>'],
    ['<p style="text-align:center;position:fixed" onclick="x">戊</p>', '<p style="text-align:center">戊</p>'],
    ['<p style="background:url(https://a.example/x)">己</p>', '<p>己</p>'],
    [
      `<img src="/api/schoolbase/file/view?id=${file}" alt="图" onload="x">`,
      `<img src="/api/schoolbase/file/view?id=${file}" alt="图">`,
    ],
    ['<iframe srcdoc="<p>x</p>"></iframe><p>庚</p>', '<p>庚</p>'],
    [
      '<h2>标题</h2><p style="text-align:right">一<strong>二</strong><br>三</p><table><tbody><tr><td colspan="2">四</td></tr></tbody></table><hr>',
      '<h2>标题</h2><p style="text-align:right">一<strong>二</strong><br>三</p><table><tbody><tr><td colspan="2">四</td></tr></tbody></table><hr>',
    ],
  ])('%s', (html, expected) => expect(cleanStored(html).innerHTML).toBe(expected))
})

describe('what is pasted', () => {
  test('from Word loses its office marks and keeps lists, bold and alignment', () => {
    const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p{mso-x:1}</style></head><body><!--StartFragment--><p class=MsoNormal align=center style='text-align:center'><b><span lang=EN-US style='font-size:16pt'>通知<o:p></o:p></span></b></p><p class=MsoNormal><span lang=EN-US><o:p>&nbsp;</o:p></span></p><p class=MsoListParagraph style='margin-left:21pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span></span><![endif]>报名</p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp; </span></span>线上</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>2.<span>&nbsp;</span></span>比赛</p><!--EndFragment--></body></html>`
    expect(pasted(word)).toEqual({
      html: '<p style="text-align:center"><b><span>通知</span></b></p><div><ol><li><span></span>报名<ul><li>线上</li></ul></li><li>比赛</li></ol></div>',
      lost: 0,
    })
  })

  test('from WPS keeps the styles that say bold, and its marks become a list; pictures of the other machine are counted', () => {
    const wps =
      '<p class="MsoNormal"><span style="font-weight:bold;font-family:宋体">一、要求</span></p><p style="mso-list:l1 level1 lfo2">● 准时</p><p style="mso-list:l1 level1 lfo2">● 着装</p><img src="file:///C:/Users/x/clip_image001.png">'
    expect(pasted(wps)).toEqual({
      html: '<p><span style="font-weight:bold">一、要求</span></p><div><ul><li>准时</li><li>着装</li></ul></div>',
      lost: 1,
    })
  })

  test('with headings of other levels gets ours', () =>
    expect(pasted('<h1 style="text-align:center">甲</h1><h6>乙</h6>').html).toBe(
      '<h2 style="text-align:center">甲</h2><h4>乙</h4>',
    ))

  test('with attacks keeps none', () =>
    expect(
      pasted(
        '<p onclick="alert(1)">甲<script>alert(1)</script></p><svg onload=alert(1)></svg><a href="javascript:alert(1)">乙</a>',
      ).html,
    ).toBe('<p>甲</p><a>乙</a>'))
})
