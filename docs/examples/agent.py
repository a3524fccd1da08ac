"""A program that knows nothing of dlx_numba but the list of tools of `dlx-numba mcp`."""

import asyncio
import sys

from mcp import Client, StdioServerParameters, stdio_client

SHIFTS = {f"{who} {day}": [who, day] for who in ("Ann", "Bob") for day in ("Mon", "Tue", "Wed")}
ROSTER = {"options": SHIFTS, "items": ["Mon", "Tue", "Wed", "Ann", "Bob"]}
ROSTER |= {"at_most": {"Ann": 2, "Bob": 2}, "costs": {"Bob Mon": 3, "Ann Wed": 1}}


async def main():
    """Solve a roster, learn why another one has no solution, and verify an answer."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "dlx_numba", "mcp"])
    async with Client(stdio_client(server)) as client:

        async def ask(tool, **arguments):
            return (await client.call_tool(tool, arguments)).structured_content

        print("tools:", ", ".join(tool.name for tool in (await client.list_tools()).tools))
        await ask("read", problem=ROSTER, name="roster")
        plan = await ask("cheapest", problem="roster")
        print(plan["status"], plan["covers"][0]["names"], plan["covers"][0]["cost"])
        count = await ask("count", problem="roster", forbidden=["Bob Mon"])
        print(count["status"], count["count"], "plans in which Bob is free on Monday")
        ill = await ask("first", problem="roster", forbidden=["Ann Mon", "Bob Mon"])
        print(ill["status"], ill["reason"]["text"])
        proof = await ask("verify", problem="roster", certificate=ill["certificate"])
        print(proof["status"], proof["text"])
        claim = await ask("verify", problem="roster", cover=["Ann Mon", "Bob Mon", "Bob Tue"])
        print(claim["status"], claim["text"])


asyncio.run(main())
