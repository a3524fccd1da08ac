// A program in JavaScript that asks `dlx-numba serve`: node client.js COMMAND ...
// Without a command, it runs `dlx-numba serve`.

const { spawn } = require("node:child_process");
const readline = require("node:readline");

const [program, ...words] = process.argv.length > 2 ? process.argv.slice(2) : ["dlx-numba", "serve"];
const server = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();  // functions that receive the answers, by id
let lastId = 0;

readline.createInterface({ input: server.stdout }).on("line", (line) => {
  const answer = JSON.parse(line);
  waiting.get(answer.id)(answer);
  waiting.delete(answer.id);
});

function ask(request, id = ++lastId) {
  server.stdin.write(JSON.stringify({ id, ...request }) + "\n");
  return new Promise((resolve) => waiting.set(id, resolve));
}

function queens(n) {  // each row and each column has a queen, a diagonal at most one
  const range = [...Array(n).keys()];
  const options = {};
  const secondary = [...Array(4 * n - 2).keys()].map((k) => `d${k}`);
  for (const r of range) {
    for (const c of range) {
      options[`${r},${c}`] = [`r${r}`, `c${c}`, `d${r + c}`, `d${3 * n - 2 + r - c}`];
    }
  }
  return { options, secondary };
}

async function main() {
  await ask({ do: "define", name: "queens", problem: queens(8) });
  const endless = ask({ do: "count", problem: queens(24) }, "endless");
  const [all, corner, puzzle] = await Promise.all([
    ask({ do: "count", problem: "queens" }),
    ask({ do: "count", problem: "queens", given: ["0,0"] }),
    ask({ do: "solve", boards: ["1.....3..4.....2"] }),
  ]);
  console.log(`${BigInt(all.count)} solutions, ${corner.count} of them with a queen in the corner`);
  console.log(puzzle.boards[0].solution);
  server.stdin.write('{"do": "cancel", "id": "endless"}\n');
  console.log(`24 queens: ${(await endless).status}`);
  server.stdin.end();  // the server ends after the last answer
}

main();
